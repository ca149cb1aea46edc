from PIL import Image
im = Image.open("a.png")
for im in ["{0.__class__}"]:
    g = im.format
    print(g(1))
