from PIL import Image
im = Image.open("a.png")
print(im.format("x"))
