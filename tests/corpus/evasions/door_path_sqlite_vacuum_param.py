import sqlite3
con = sqlite3.connect(":memory:")
con.execute("VACUUM INTO ?", ["/tmp/evil2.db"])
print("REACHED")
