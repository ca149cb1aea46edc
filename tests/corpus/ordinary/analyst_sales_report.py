import pandas as pd
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
df = pd.read_csv("sales.csv", parse_dates=["date"])
df["month"] = df["date"].dt.to_period("M").astype(str)
monthly = df.groupby("month")["amount"].agg(["sum", "mean", "count"]).reset_index()
fig, ax = plt.subplots(figsize=(10, 5))
ax.bar(monthly["month"], monthly["sum"], color="steelblue")
ax.set_title("Revenue per month"); ax.set_xlabel("Month"); ax.set_ylabel("€")
plt.xticks(rotation=45); plt.tight_layout(); plt.savefig("output/monthly.png", dpi=150); plt.close()
final_answer(monthly.to_dict(orient="records"))
