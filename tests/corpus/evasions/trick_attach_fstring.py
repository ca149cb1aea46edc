import sqlite3
where = "/tmp/x.db"
sqlite3.connect(":memory:").execute(f"ATTACH '{where}' AS y")
