import pandas as pd
from openpyxl import load_workbook
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
df = pd.read_excel("in.xlsx", sheet_name=None)
with pd.ExcelWriter("output/report.xlsx", engine="openpyxl") as writer:
    for name, frame in df.items():
        frame.to_excel(writer, sheet_name=name[:31], index=False)
wb = load_workbook("output/report.xlsx")
for ws in wb.worksheets:
    for cell in ws[1]:
        cell.font = Font(bold=True); cell.fill = PatternFill("solid", fgColor="DDDDDD")
    for i, col in enumerate(ws.columns, 1):
        ws.column_dimensions[get_column_letter(i)].width = max(len(str(c.value or "")) for c in col) + 2
wb.save("output/report.xlsx")
