import sqlite3
con = sqlite3.connect("file::memory:?cache=shared", **{"uri": True})
print("REACHED", con.execute("PRAGMA database_list").fetchall())
