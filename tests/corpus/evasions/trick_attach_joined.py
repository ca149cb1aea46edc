import sqlite3
sqlite3.connect(":memory:").execute("".join(["AT", "TACH '", "/tmp/x", "' AS a"]))
