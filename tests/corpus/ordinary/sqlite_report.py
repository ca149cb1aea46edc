import sqlite3
con = sqlite3.connect("shop.db")
con.row_factory = sqlite3.Row
with con:
    con.execute("CREATE TABLE IF NOT EXISTS sales(id INTEGER PRIMARY KEY, amount REAL)")
    con.executemany("INSERT INTO sales(amount) VALUES (?)", [(1.5,), (2.5,)])
print([dict(r) for r in con.execute("SELECT COUNT(*) AS n, SUM(amount) AS s FROM sales")])
con.close()
