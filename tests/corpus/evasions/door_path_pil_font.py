from PIL import ImageFont
try:
    ImageFont.load("/etc/passwd")
except Exception as error:
    print("REACHED", type(error).__name__, error)
