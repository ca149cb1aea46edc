import pandas as pd
pd.options.mode.copy_on_write = True
pd.options.display.float_format = "{:.1f}".format
df = pd.read_fwf("weather.txt", widths=[10, 6, 6, 5], names=["date", "tmin", "tmax", "rain"], na_values="-99.9", skiprows=1)
df["date"] = pd.to_datetime(df["date"])
df = df.set_index("date").sort_index()
df.loc[:, "range"] = df.tmax - df.tmin
month = df.groupby(pd.Grouper(freq="MS")).agg(tmin=("tmin", "min"), tmax=("tmax", "max"), rain=("rain", "sum"), wet=("rain", lambda r: (r > 1).sum()))
month["season"] = month.index.month.map(lambda m: {12: "DJF", 1: "DJF", 2: "DJF", 3: "MAM", 4: "MAM", 5: "MAM", 6: "JJA", 7: "JJA", 8: "JJA"}.get(m, "SON"))
streak = (df.rain.eq(0) != df.rain.eq(0).shift()).cumsum()
dry = df[df.rain.eq(0)].groupby(streak).size().max()
print(month.to_string(), f"longest dry spell: {dry} days", sep="\n\n")
hot = df.nlargest(5, "tmax")[["tmax"]].rename_axis("day").reset_index().assign(day=lambda d: d["day"].dt.strftime("%d.%m.%Y"))
print(hot.to_dict("records"))
