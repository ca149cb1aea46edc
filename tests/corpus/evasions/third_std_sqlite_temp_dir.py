import sqlite3
c = sqlite3.connect("a.db")
c.execute("PRAGMA temp_store_directory='/etc'")
