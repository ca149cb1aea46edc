import sqlite3
con = sqlite3.connect(":memory:")
con.execute("ATTACH DATABASE ? AS x", ("/tmp/evil.db",))
con.execute("CREATE TABLE x.t (a)")
print("REACHED", con.execute("PRAGMA database_list").fetchall())
