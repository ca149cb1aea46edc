import sqlite3

db = sqlite3.connect(":memory:")
# ruleid: no-sqlite-files
db.execute("ATTACH DATABASE '/usr/local/planted.db' AS x")
# ruleid: no-sqlite-files
db.execute("VACUUM INTO '/usr/local/copy.db'")
# ruleid: no-sqlite-files
sql = 'attach "file:other.db?mode=rw" as y'
# ruleid: no-sqlite-files
db.executescript("CREATE TABLE t(a); ATTACH '~/x.db' AS z;")

# ok: no-sqlite-files
db.execute("ATTACH DATABASE 'other.db' AS x")
# ok: no-sqlite-files
db.execute("VACUUM INTO 'copy.db'")
# ok: no-sqlite-files
text = "attach the invoice /pages"
