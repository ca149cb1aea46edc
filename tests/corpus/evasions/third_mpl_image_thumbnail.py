from matplotlib import image
image.thumbnail(chr(47) + "etc/x.png", "y.png")
