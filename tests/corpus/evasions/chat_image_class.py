from PIL import Image
class Image:
    open = staticmethod(lambda p: "{0.__class__}")
im = Image.open("a.png")
g = im.format
print(g(1))
