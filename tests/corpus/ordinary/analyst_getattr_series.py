import pandas as pd
df = pd.read_csv("data.csv")
stats = {name: float(getattr(df["amount"], name)()) for name in ("mean", "median", "std", "min", "max")}
final_answer(stats)
