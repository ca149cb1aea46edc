from decimal import Decimal as D, ROUND_HALF_EVEN
import pandas as pd
principal, rate, months = D("250000"), D("0.0375"), 240
r = rate / 12
payment = (principal * r / (1 - (1 + r) ** -months)).quantize(D("0.01"), ROUND_HALF_EVEN)
rows, balance = [], principal
for m in range(1, months + 1):
    interest = (balance * r).quantize(D(".01"))
    amort = min(payment - interest, balance)
    balance -= amort
    rows.append((m, payment, interest, amort, balance))
    if balance <= 0:
        break
df = pd.DataFrame(rows, columns=["month", "payment", "interest", "principal", "balance"]).set_index("month").astype(float)
yearly = df.groupby((df.index - 1) // 12 + 1)[["interest", "principal"]].sum()
yearly.loc["Total"] = yearly.sum()
def npv(rate, flows): return sum(cf / (1 + rate) ** i for i, cf in enumerate(flows))
def irr(flows, lo=-.99, hi=10.0, tol=1e-9):
    while hi - lo > tol:
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if npv(mid, flows) > 0 else (lo, mid)
    return lo
print(yearly.map("{:,.2f}".format).to_string(), f"{irr([-1000, 300, 420, 680]):.2%}", payment)
df.to_csv("output/schedule.csv", decimal=",", sep=";")
