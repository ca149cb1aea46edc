import sqlite3

con = sqlite3.connect("main.db")
con.execute("ATTACH DATABASE 'archive.db' AS archive")
con.execute("CREATE TABLE IF NOT EXISTS archive.old (id INTEGER)")
columns = ", ".join(f"{name} TEXT" for name in ["a", "b"])
con.execute("CREATE TABLE IF NOT EXISTS wide (" + columns + ")")
marks = ",".join("?" * 2)
con.execute(f"INSERT INTO wide VALUES ({marks})", ("x", "y"))
print(con.execute("SELECT name FROM sqlite_master ORDER BY name").fetchall())
