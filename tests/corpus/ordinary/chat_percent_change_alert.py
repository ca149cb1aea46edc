import pandas as pd
prices = pd.read_csv("prices.csv", index_col="date", parse_dates=True).ffill().dropna(how="all", axis=1)
ret = prices.pct_change(fill_method=None)
vol = ret.rolling(20).std() * 252 ** .5
dd = prices / prices.cummax() - 1
sharpe = ret.mean() / ret.std() * 252 ** .5
corr = ret.corr()
pairs = corr.where(~pd.DataFrame(False, corr.index, corr.columns).values).stack().rename_axis(["a", "b"]).reset_index(name="rho").query("a < b").sort_values("rho", key=abs, ascending=False)
alerts = ret.stack().loc[lambda s: s.abs() > .05].rename("move").reset_index()
alerts.columns = ["date", "ticker", "move"]
signal = (prices.rolling(50).mean() > prices.rolling(200).mean()).astype(int).diff().fillna(0)
print(pd.DataFrame({"sharpe": sharpe, "maxdd": dd.min(), "vol": vol.iloc[-1]}).round(3).to_markdown())
print(pairs.head(), alerts.tail(), signal[signal.ne(0).any(axis=1)].tail(), sep="\n")
ret.cov().to_json("output/cov.json", orient="split", double_precision=8)
