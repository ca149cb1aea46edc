import sqlite3
import pandas as pd
con = sqlite3.connect("data.db")
pd.DataFrame({"id": [1, 2], "v": [3.0, 4.0]}).to_sql("t", con, if_exists="replace", index=False)
print(pd.read_sql_query("SELECT id, AVG(v) AS m FROM t GROUP BY id ORDER BY id", con).to_dict("records"))
con.close()
