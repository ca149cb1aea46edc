from openpyxl.drawing.image import Image
try:
    Image("/etc/passwd")
except Exception as error:
    print("REACHED", type(error).__name__)
