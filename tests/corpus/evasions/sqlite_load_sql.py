import sqlite3
sqlite3.connect(":memory:").execute("SELECT load_extension('./x')")
