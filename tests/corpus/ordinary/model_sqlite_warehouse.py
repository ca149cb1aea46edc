import sqlite3

import pandas as pd

con = sqlite3.connect("warehouse.db")
con.row_factory = sqlite3.Row
con.executescript("""
CREATE TABLE IF NOT EXISTS sales (region TEXT, amount REAL);
DELETE FROM sales;
""")
rows = [("north", 1.5), ("south", 2.5)]
con.executemany("INSERT INTO sales VALUES (?, ?)", rows)
con.commit()
for table in ["sales"]:
    count, = con.execute(f"SELECT COUNT(*) FROM {table}").fetchone()
    print(table, count)
query = "SELECT region, SUM(amount) AS total FROM sales WHERE amount > :low GROUP BY region"
print(pd.read_sql_query(query, con, params={"low": 1}))
con.execute("VACUUM")
con.close()
