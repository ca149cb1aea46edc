import pandas as pd
old, new = (pd.read_excel(f, dtype=str).fillna("").set_index("id") for f in ("old.xlsx", "new.xlsx"))
added = new.index.difference(old.index)
removed = old.index.difference(new.index)
common = old.index.intersection(new.index)
delta = old.loc[common].compare(new.loc[common], align_axis=0, result_names=("old", "new"))
with pd.ExcelWriter("output/diff.xlsx") as xl:
    new.loc[added].to_excel(xl, sheet_name="added")
    old.loc[removed].to_excel(xl, sheet_name="removed")
    if len(delta):
        delta.to_excel(xl, sheet_name="changed", merge_cells=False)
    ws = xl.sheets["added"]
    ws.freeze_panes = "B2"
    xl.book.properties.title = "Difference"
print(f"+{len(added)} -{len(removed)} ~{delta.index.get_level_values(0).nunique() if len(delta) else 0}")
