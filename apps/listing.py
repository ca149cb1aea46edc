"""What the store knows of all runs: `runs`, `runs --stats`, `audit verify`. Loads neither the graph nor an engine."""

import re
import sys
import time
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..graph.errors import SettingsInvalid
from ..graph.store import RunStore
from .config import read_environment, settings_from
from .exits import ANSWERED, STOPPED, explained, print_json

ANYBODY = "whoever can open this store"
MOST_SEARCHED = 100_000
"""Runs that are looked at for a text in their goal."""


def _store() -> RunStore:
    settings = settings_from(read_environment())
    return RunStore(settings.home_path, settings.database_url)


def list_runs(*, waiting: bool, stats: bool, limit: int, since: str | None, matching: str, as_json: bool) -> None:
    """`runs`."""
    with explained(as_json=as_json):
        store = _store()
        if stats:
            _print_stats(store, since=_moment(since), as_json=as_json)
            return
        wanted = matching.casefold()
        rows = [row for row in store.list(waiting=waiting, since=_moment(since), limit=MOST_SEARCHED if wanted else limit)
                if wanted in row.goal.casefold()][:limit]
        documents: list[dict[str, Any]] = []
        for row in rows:
            pending = store.pending(row.run_id) if row.status == "waiting" else None
            documents.append({
                "run_id": row.run_id, "status": row.status, "stop_reason": row.stop_reason, "goal": row.goal,
                "created": _when(row.created), "message": row.message,
                "waits_since": _when(pending.asked) if pending else None,
                "waits_for": pending.question.approvers or ANYBODY if pending else None,
                "reasons": pending.question.reasons if pending else [],
                "expires": _when(pending.expires) if pending and pending.expires else None,
                "program": pending.question.program if pending else None})
    if as_json:
        print_json(documents)
        return
    table = Table(box=None, header_style="bold")
    for name in ("run", "status", "since", "goal"):
        table.add_column(name, overflow="fold", no_wrap=name in ("run", "since"))
    for item in documents:
        status = item["status"] + (f" · {item['stop_reason']}" if item["stop_reason"] else "")
        wait = "" if item["waits_for"] is None else (
            f"\n[dim]waits for {escape(item['waits_for'])}: {escape('; '.join(item['reasons']))}[/dim]")
        if item["expires"]:
            wait += f"\n[dim]to be decided until {_by_the_clock(item['expires'])}[/dim]"
        table.add_row(item["run_id"], status, _by_the_clock(item["waits_since"] or item["created"]),
                      escape(item["goal"][:200]) + wait)
    Console(highlight=False).print(table if documents else "no runs")


def _moment(since: str | None) -> float | None:
    """Seconds since 1970 of `7d`, `12h` (ago) or a date in local time. Raises SettingsInvalid."""
    if since is None:
        return None
    ago = re.fullmatch(r"(\d{1,5})([dh])", since.strip())
    if ago:
        return time.time() - int(ago[1]) * {"d": 86400, "h": 3600}[ago[2]]
    try:
        return datetime.fromisoformat(since.strip()).timestamp()
    except (ValueError, OverflowError) as error:
        raise SettingsInvalid(f"--since {since}: write 7d, 12h or a date such as 2026-11-22") from error


def _print_stats(store: RunStore, *, since: float | None, as_json: bool) -> None:
    tallies = store.stats(since=since)
    if as_json:
        print_json([{"kind": item.kind, "name": item.name, "count": item.count, "seconds": round(item.seconds, 3)}
                    for item in tallies])
        return
    table = Table(box=None, header_style="bold")
    for name in ("kind", "name", "count", "seconds"):
        table.add_column(name, justify="right" if name in ("count", "seconds") else "left")
    for item in tallies:
        table.add_row(item.kind, escape(item.name), str(item.count), f"{item.seconds:.2f}")
    Console(highlight=False).print(table)


def verify_audit(*, as_json: bool) -> None:
    """`audit verify`."""
    with explained(as_json=as_json):
        audit = _store().audit
        bad = audit.verify()
    if as_json:
        print_json({"path": str(audit.path), "holds": bad is None, "line": bad.line if bad else None,
                    "why": bad.why if bad else None})
    elif bad is None:
        print(f"{audit.path}: every line holds")
    else:
        print(f"{audit.path}: line {bad.line}: {bad.why}")
    sys.exit(ANSWERED if bad is None else STOPPED)


def _by_the_clock(moment: str) -> str:
    """Local time to the minute, for people."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
