from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter

book = Workbook()
sheet = book.active
sheet.title = "Summary"
sheet.append(["month", "amount"])
for month, amount in [("Jan", 10), ("Feb", 12), ("Mar", 9)]:
    sheet.append([month, amount])
for cell in sheet[1]:
    cell.font = Font(bold=True)
    cell.fill = PatternFill("solid", fgColor="DDEEFF")
    cell.alignment = Alignment(horizontal="center")
for index, column in enumerate(sheet.columns, start=1):
    sheet.column_dimensions[get_column_letter(index)].width = max(len(str(c.value)) for c in column) + 2
chart = BarChart()
chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=4), titles_from_data=True)
sheet.add_chart(chart, "D2")
book.save("summary.xlsx")
