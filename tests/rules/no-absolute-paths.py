import io
import os
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd

# ruleid: no-absolute-paths
a = open("/etc/passwd")
# ruleid: no-absolute-paths
with open(b"/etc/passwd") as file:
    print(file.read())
# ruleid: no-absolute-paths
b = pd.read_csv("/home/ann/rows.csv", sep=";")
# ruleid: no-absolute-paths
c = Path("/var/log").glob("*.log")
# ruleid: no-absolute-paths
d = open(file="/etc/hosts")
where = "/data/rows.csv"
# ruleid: no-absolute-paths
e = pd.read_csv(where)
# ruleid: no-absolute-paths
f = io.open("/etc/passwd")
# ruleid: no-absolute-paths
g = pd.read_csv(filepath_or_buffer="/data/rows.csv")
# ruleid: no-absolute-paths
h = pd.read_csv("C:\\Users\\ann\\rows.csv")
# ruleid: no-absolute-paths
i = sqlite3.connect("/usr/local/planted.db")
# ruleid: no-absolute-paths
j = os.listdir("/home")
# ruleid: no-absolute-paths
k = Path("out") / os.path.join("/etc", "passwd")
# ruleid: no-absolute-paths
np.save("/tmp/a.npy", np.zeros(3))

# ok: no-absolute-paths
l = open("rows.csv")
# ok: no-absolute-paths
m = pd.Series(["open /etc/passwd denied", "/var/log/app.log"])
# ok: no-absolute-paths
n = m.str.replace("/", "-", regex=False)
# ok: no-absolute-paths
o = Path("reports") / "2024"
# ok: no-absolute-paths
p = "/".join(["a", "b"])
# ok: no-absolute-paths
q = m.str.split("/")
# ok: no-absolute-paths
r = pd.to_datetime("2024/01/02")
# ok: no-absolute-paths
s = m[m == "/var/log/app.log"]
# ruleid: no-absolute-paths
t = list(Path("/").glob("*"))
# ruleid: no-absolute-paths
u = Path("/", "etc", "passwd").read_text()
# ruleid: no-absolute-paths
v = [base for base, _, _ in os.walk("/")]
from pathlib import PurePosixPath

# ok: no-absolute-paths
w = PurePosixPath("/srv/data/a.csv").name
