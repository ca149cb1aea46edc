import numpy as np
import pandas as pd
from pathlib import Path
from urllib.parse import urlparse

# ruleid: no-url-readers
a = pd.read_csv("https://example.org/rows.csv")
# ruleid: no-url-readers
b = pd.read_json("http://127.0.0.1:8000/rows.json", lines=True)
address = "s3://bucket/rows.parquet"
# ruleid: no-url-readers
c = pd.read_parquet(address)
# ruleid: no-url-readers
d = np.genfromtxt("ftp://example.org/a.txt")
# ruleid: no-url-readers
e = pd.read_csv("file:///etc/passwd", sep=":")
# ruleid: no-url-readers
a.to_parquet("gs://bucket/x.parquet")
# ruleid: no-url-readers
f = pd.read_csv(filepath_or_buffer="https://example.org/rows.csv")
# ruleid: no-url-readers
g = open("file:///etc/hosts")
# ruleid: no-url-readers
h = pd.read_csv("https://" + "example.org/rows.csv")

# ok: no-url-readers
i = urlparse("https://example.org/a?b=1").netloc
# ok: no-url-readers
j = pd.DataFrame({"page": ["https://example.org/a", "http://example.org/b"]})
# ok: no-url-readers
k = j[j["page"] == "https://example.org/a"]
# ok: no-url-readers
l = pd.read_csv("https.csv")
# ok: no-url-readers
m = j["page"].str.replace("https://", "", regex=False)
# ok: no-url-readers
n = Path("http") / "rows.csv"
