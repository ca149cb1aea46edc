import sqlite3
name = "fi" + "le:x?mode=ro"
sqlite3.connect(name[:], 5, 0, None, True, sqlite3.Connection, 128, True)
