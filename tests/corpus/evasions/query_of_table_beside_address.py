from urllib.parse import urlparse

import pandas as pd

address = urlparse("https://shop.example/?a=1")
table = pd.read_csv("a.csv")
print(list(map(table.query, open("rules.txt"))), address.netloc)
