import sqlite3

import pandas as pd

con = sqlite3.connect(":memory:")
pd.read_csv("events.csv").to_sql("events", con, index=False, if_exists="replace")
con.create_function if False else None
sql = """
WITH firsts AS (SELECT user, MIN(day) AS start FROM events GROUP BY user)
SELECT start, COUNT(DISTINCT e.user) AS users, julianday(e.day) - julianday(start) AS age
FROM events e JOIN firsts USING (user)
GROUP BY start, age ORDER BY start, age
"""
cohort = pd.read_sql(sql, con)
where = " AND ".join(f"{column} = ?" for column in ("user", "day"))
row = con.execute(f"SELECT * FROM events WHERE {where} LIMIT 1", ("a", "2024-01-01")).fetchone()
print(cohort.pivot(index="start", columns="age", values="users"), row)
