import sqlite3
sqlite3.connect(":memory:").executescript("select 1; attach '/tmp/a' as b")
