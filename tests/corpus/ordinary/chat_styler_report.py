import pandas as pd
import numpy as np

df = pd.read_csv("kpi.csv", index_col="department")
numeric = df.select_dtypes(include="number").columns


def highlight(s: pd.Series) -> list[str]:
    is_max = s == s.max()
    return ["background-color: #c6efce" if v else "" for v in is_max]


styled = (
    df.style.format({c: "{:,.1f}" for c in numeric}, na_rep="–")
    .apply(highlight, subset=numeric)
    .background_gradient(cmap="RdYlGn", axis=0, subset=numeric[:1])
    .bar(subset=[numeric[-1]], color="#5fba7d")
    .set_caption("Key figures")
    .set_table_styles([{"selector": "th", "props": [("text-align", "left")]}])
    .hide(axis="index")
)
html = styled.to_html()
with open("output/kpi.html", "w", encoding="utf-8") as f:
    f.write(html)
styled.to_excel("output/kpi_styled.xlsx", engine="openpyxl")
pd.set_option("display.max_columns", None, "display.width", 200)
with pd.option_context("display.precision", 2, "display.float_format", "{:,.2f}".format):
    print(df.describe(percentiles=[.1, .5, .9]).T)
