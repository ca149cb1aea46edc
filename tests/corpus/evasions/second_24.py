import sqlite3
c = sqlite3.connect("/var/lib/app.db")
