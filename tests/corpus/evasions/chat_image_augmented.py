from PIL import Image
with Image.open("a.png") as im:
    print(im.size)
try:
    raise ValueError("{0.__class__}")
except ValueError as im:
    pass
def f(a):
    global im
    im = a
f("{0.__class__}")
g = im.format
print(g(1))
