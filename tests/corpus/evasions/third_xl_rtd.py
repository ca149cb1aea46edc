from openpyxl import Workbook
wb = Workbook()
wb.active["A1"] = '=RTD("x.y",,"z")'
