from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.chart import LineChart, PieChart, ScatterChart, Series, Reference
from openpyxl.drawing.image import Image as XLImage
from openpyxl.styles.numbers import FORMAT_PERCENTAGE_00
import datetime as dt
wb = load_workbook("plan.xlsx", data_only=True, read_only=False)
out = Workbook(); ws = out.active; ws.title = "Plan"
ws.append(["Task", "Start", "Share"])
for r in wb.worksheets[0].iter_rows(min_row=2, values_only=True):
    name, start, share, *_ = r
    if not name: continue
    ws.append([name, start.date() if isinstance(start, dt.datetime) else start, share])
for c in ws["C"][1:]: c.number_format = FORMAT_PERCENTAGE_00
ws["A1"].comment = Comment("from plan.xlsx", "report")
tab = Table(displayName="Plan", ref=f"A1:C{ws.max_row}"); tab.tableStyleInfo = TableStyleInfo(name="TableStyleMedium9", showRowStripes=True)
ws.add_table(tab)
dv = DataValidation(type="list", formula1='"open,done"', allow_blank=True); ws.add_data_validation(dv); dv.add("D2:D50")
pie = PieChart(); pie.add_data(Reference(ws, min_col=3, min_row=1, max_row=ws.max_row), titles_from_data=True); ws.add_chart(pie, "F2")
ws.add_image(XLImage("output/chart.png"), "F20")
ws.page_setup.orientation = "landscape"; ws.print_title_rows = "1:1"; ws.sheet_properties.tabColor = "1072BA"; ws.row_dimensions[1].height = 20; ws.protection.sheet = False
ws.cell(row=1, column=4, value="Status").font = ws["A1"].font.copy(bold=True)
out.save("output/plan.xlsx"); out.close()
