import sqlite3
con = sqlite3.connect(":memory:")
con.enable_load_extension(True)
