import sqlite3

flag = input_flag = 1 == 1
# ruleid: no-sqlite-uri
a = sqlite3.connect("file:rows.db?mode=ro", uri=True)
# ruleid: no-sqlite-uri
b = sqlite3.connect("rows.db", uri=flag)
# ruleid: no-sqlite-uri
c = sqlite3.connect("file:rows.db")

# ok: no-sqlite-uri
d = sqlite3.connect("rows.db")
# ok: no-sqlite-uri
e = sqlite3.connect(":memory:", uri=False)
# ok: no-sqlite-uri
f = sqlite3.connect("file.db")
