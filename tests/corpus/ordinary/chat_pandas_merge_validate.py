import pandas as pd
from pandas.api.types import is_numeric_dtype, is_datetime64_any_dtype, CategoricalDtype
from pandas.errors import MergeError, ParserError
from pandas.tseries.offsets import BDay, MonthEnd
from pandas.tseries.holiday import AbstractHolidayCalendar, Holiday, nearest_workday


class FirmCalendar(AbstractHolidayCalendar):
    rules = [
        Holiday("New Year", month=1, day=1, observance=nearest_workday),
        Holiday("Founding day", month=5, day=17),
    ]


try:
    customers = pd.read_csv("customers.csv", dtype={"id": "Int64", "zip": "string"}, on_bad_lines="warn", thousands=",")
    orders = pd.read_csv("orders.csv", usecols=lambda c: c in {"id", "customer", "amount", "date"}, engine="python")
except ParserError as exc:
    raise SystemExit(f"cannot parse: {exc}")
try:
    merged = orders.merge(customers, how="left", left_on="customer", right_on="id", suffixes=("", "_c"), validate="m:1", indicator=True)
except MergeError as exc:
    print("duplicate customers:", exc)
    merged = orders.merge(customers.drop_duplicates("id"), left_on="customer", right_on="id", how="left", indicator=True)
print(merged["_merge"].value_counts(dropna=False))
merged["date"] = pd.to_datetime(merged["date"], errors="coerce", utc=True).dt.tz_localize(None)
merged["due"] = merged["date"] + 10 * BDay()
merged["month_end"] = merged["date"] + MonthEnd(0)
size = CategoricalDtype(["S", "M", "L"], ordered=True)
merged["size"] = pd.cut(merged["amount"], [0, 50, 200, float("inf")], labels=size.categories, right=False).astype(size)
for col in merged.columns:
    kind = "number" if is_numeric_dtype(merged[col]) else "date" if is_datetime64_any_dtype(merged[col]) else "other"
    print(f"{col:<15} {kind:<8} {merged[col].isna().mean():>6.1%}")
holidays = FirmCalendar().holidays("2024-01-01", "2024-12-31")
days = pd.bdate_range("2024-01-01", "2024-12-31", freq="C", holidays=list(holidays))
print(len(days), pd.Timestamp("2024-05-17") in holidays)
long = merged.melt(id_vars=["customer"], value_vars=["amount"], var_name="measure")
wide = long.pivot_table(index="customer", columns="measure", values="value", aggfunc=["sum", "count"])
wide.columns = ["_".join(map(str, c)).strip("_") for c in wide.columns.to_flat_index()]
wide.to_parquet("output/wide.parquet")
