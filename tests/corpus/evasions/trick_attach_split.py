import sqlite3
sql = "ATT" + "ACH DATABASE ? AS z"
sqlite3.connect(":memory:").execute(sql, ("/tmp/x",))
