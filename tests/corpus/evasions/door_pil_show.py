from PIL import Image
Image.new("RGB", (4, 4)).show()
print("REACHED")
