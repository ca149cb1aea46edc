import pandas as pd
df = pd.read_csv("data.csv")
df.describe().to_html("output/summary.html")
