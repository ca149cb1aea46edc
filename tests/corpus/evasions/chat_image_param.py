from PIL import Image
im = Image.open("a.png")
def f(im, x):
    g = im.format
    return g(x)
print(f("{0.__class__}", 1))
