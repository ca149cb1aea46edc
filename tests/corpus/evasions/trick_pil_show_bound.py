from PIL import Image
image = Image.new("RGB", (2, 2))
image.show()
