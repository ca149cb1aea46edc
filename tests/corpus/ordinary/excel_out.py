import pandas as pd
with pd.ExcelWriter("out.xlsx", engine="openpyxl") as writer:
    pd.DataFrame({"a": [1]}).to_excel(writer, sheet_name="s", index=False)
print(pd.read_excel("out.xlsx").shape)
