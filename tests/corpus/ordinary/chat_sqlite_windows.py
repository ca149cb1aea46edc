import sqlite3
import pandas as pd
from contextlib import closing

df = pd.read_csv("orders.csv")
with closing(sqlite3.connect(":memory:")) as conn:
    conn.row_factory = sqlite3.Row
    df.to_sql("orders", conn, index=False, if_exists="replace")
    conn.executescript("""
        CREATE INDEX idx_customer ON orders(customer);
        CREATE VIEW big AS SELECT * FROM orders WHERE amount > 100;
    """)
    cur = conn.execute(
        """
        WITH ranked AS (
            SELECT customer, amount, ordered,
                   ROW_NUMBER() OVER (PARTITION BY customer ORDER BY amount DESC) AS rn,
                   SUM(amount) OVER (PARTITION BY customer ORDER BY ordered) AS running
            FROM orders
        )
        SELECT * FROM ranked WHERE rn <= :top
        """,
        {"top": 2},
    )
    names = [d[0] for d in cur.description]
    for row in cur.fetchall():
        print({k: row[k] for k in row.keys()})
    conn.executemany("UPDATE orders SET amount = amount * ? WHERE customer = ?", [(1.1, "a"), (0.9, "b")])
    conn.commit()
    result = pd.read_sql_query("SELECT strftime('%Y-%m', ordered) AS month, COUNT(*) AS n FROM orders GROUP BY 1", conn)
    print(conn.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchone()[0], conn.total_changes)
result.to_csv("output/by_month.csv", index=False)
