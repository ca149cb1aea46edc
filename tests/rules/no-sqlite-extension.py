import sqlite3

db = sqlite3.connect(":memory:")
# ruleid: no-sqlite-extension
db.enable_load_extension(True)
# ruleid: no-sqlite-extension
db.load_extension("./payload.so")
# ruleid: no-sqlite-extension
allow = db.enable_load_extension
# ruleid: no-sqlite-extension
db.execute("SELECT load_extension('./payload.so')")

# ok: no-sqlite-extension
db.execute("SELECT 1")
# ok: no-sqlite-extension
db.execute("CREATE TABLE t(load_extension TEXT)")
