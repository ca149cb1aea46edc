import sqlite3
con = sqlite3.connect(":memory:")
con.execute("attach database :p as x", {"p": "/tmp/x.db"})
