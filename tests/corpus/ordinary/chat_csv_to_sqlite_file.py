import csv, sqlite3, os
db = "output/data.db"
if os.path.exists(db): os.remove(db)
con = sqlite3.connect(db)
cur = con.cursor()
cur.execute("PRAGMA foreign_keys = ON")
cur.execute("CREATE TABLE IF NOT EXISTS people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT CHECK(age >= 0))")
with open("people.csv", newline="", encoding="utf-8") as f:
    rows = [(r["name"], int(r["age"])) for r in csv.DictReader(f)]
try:
    with con:
        cur.executemany("INSERT INTO people(name, age) VALUES (?, ?)", rows)
except sqlite3.IntegrityError as e:
    print("rolled back:", e)
for name, avg in cur.execute("SELECT substr(name,1,1) AS initial, AVG(age) FROM people GROUP BY initial HAVING COUNT(*) > ? ORDER BY 2 DESC", (1,)):
    print(name, round(avg, 1))
columns = [r[1] for r in cur.execute("PRAGMA table_info(people)")]
print(columns, cur.lastrowid, con.in_transaction)
con.close()
