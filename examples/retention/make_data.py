"""Makes customers.csv: a synthetic table of subscriptions, from a fixed seed."""

import random
from pathlib import Path

MONTHS = 18
"""Months of history, numbered from 0; the table ends with the last one."""


def text() -> str:
    """The file's text: customer, month of signup, month of cancellation (empty while subscribed)."""
    random.seed(7)
    lines = ["customer_id,signup_month,cancel_month"]
    number = 0
    for month in range(6):
        for _ in range(random.randint(80, 140)):
            number += 1
            stay = 0
            while stay < MONTHS and random.random() > 0.09 / (1 + 0.1 * stay):
                stay += 1
            left = month + 1 + stay
            lines.append(f"C{number:04d},{month},{left if left < MONTHS else ''}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (Path(__file__).parent / "customers.csv").write_text(text(), encoding="utf-8")
