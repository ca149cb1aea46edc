import pandas as pd

frames = {"north": pd.DataFrame({"a": [1, 2]}), "south": pd.DataFrame({"a": [3]})}
with pd.ExcelWriter("regions.xlsx", engine="openpyxl") as writer:
    for name, frame in frames.items():
        frame.to_excel(writer, sheet_name=name[:31], index=False)
book = pd.read_excel("regions.xlsx", sheet_name=None)
print({name: len(frame) for name, frame in book.items()})
