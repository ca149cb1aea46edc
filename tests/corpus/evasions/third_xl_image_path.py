from openpyxl import Workbook
from openpyxl.drawing.image import Image
wb = Workbook()
wb.active.add_image(Image(chr(47) + "etc/x.png"))
wb.save("x.xlsx")
