import sqlite3
sqlite3.connect("a.db").execute("ATTACH '/etc/x.db' AS y")
