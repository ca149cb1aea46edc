import sqlite3, pandas as pd
conn = sqlite3.connect(":memory:")
pd.read_csv("data.csv").to_sql("t", conn, index=False)
cur = conn.cursor()
cur.execute("SELECT region, SUM(amount) FROM t GROUP BY region ORDER BY 2 DESC")
print(cur.fetchall()); conn.close()
