import pandas as pd
from openpyxl import load_workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.rule import ColorScaleRule, CellIsRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.utils.dataframe import dataframe_to_rows

sheets = pd.read_excel("sales.xlsx", sheet_name=None)
combined = pd.concat([frame.assign(region=name) for name, frame in sheets.items()], ignore_index=True)
summary = combined.pivot_table(index="region", columns="quarter", values="revenue", aggfunc="sum", margins=True)

with pd.ExcelWriter("output/report.xlsx", engine="openpyxl") as writer:
    combined.to_excel(writer, sheet_name="Data", index=False, freeze_panes=(1, 0))
    summary.to_excel(writer, sheet_name="Summary")

wb = load_workbook("output/report.xlsx")
ws = wb["Summary"]
header = Font(bold=True, color="FFFFFF")
fill = PatternFill(start_color="4472C4", end_color="4472C4", fill_type="solid")
thin = Side(border_style="thin", color="DDDDDD")
for cell in ws[1]:
    cell.font = header
    cell.fill = fill
    cell.alignment = Alignment(horizontal="center")
    cell.border = Border(left=thin, right=thin, top=thin, bottom=thin)
for column in ws.columns:
    width = max(len(str(cell.value)) if cell.value is not None else 0 for cell in column)
    ws.column_dimensions[get_column_letter(column[0].column)].width = width + 2
for row in ws.iter_rows(min_row=2, min_col=2):
    for cell in row:
        cell.number_format = '#,##0.00 "EUR"'
ws.conditional_formatting.add("B2:E10", ColorScaleRule(start_type="min", start_color="F8696B", end_type="max", end_color="63BE7B"))
ws.conditional_formatting.add("B2:E10", CellIsRule(operator="lessThan", formula=["0"], font=Font(color="FF0000")))
chart = BarChart()
chart.type = "col"
chart.title = "Revenue by region"
data = Reference(ws, min_col=2, min_row=1, max_col=ws.max_column, max_row=ws.max_row)
chart.add_data(data, titles_from_data=True)
chart.set_categories(Reference(ws, min_col=1, min_row=2, max_row=ws.max_row))
ws.add_chart(chart, "H2")
raw = wb.create_sheet("Raw", 0)
for r in dataframe_to_rows(combined.head(20), index=False, header=True):
    raw.append(r)
raw.auto_filter.ref = raw.dimensions
ws["A20"] = "=SUM(B2:B10)"
ws.merge_cells("A21:C21")
wb.active = 1
wb.save("output/report.xlsx")
print(f"Wrote {len(wb.sheetnames)} sheets: {', '.join(wb.sheetnames)}")
