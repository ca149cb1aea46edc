import sqlite3
sqlite3.connect("a.db").execute("VACUUM main INTO ?", ("/tmp/copy",))
