import pandas as pd

for month in pd.date_range("2024-01-01", periods=3, freq="MS"):
    frame = pd.DataFrame({"day": pd.date_range(month, periods=5)})
    frame.to_csv(f"{month:%Y-%m}.csv", index=False)
for year in range(2021, 2024):
    name = f"sales_{year}.csv"
    try:
        print(name, len(pd.read_csv(name)))
    except FileNotFoundError:
        print("no", name)
for quarter in ("Q1", "Q2"):
    pd.DataFrame({"q": [quarter]}).to_json("out_" + quarter + ".json", orient="records")
