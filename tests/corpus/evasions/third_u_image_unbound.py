from PIL import Image
Image.Image.save(Image.new("L", (1, 1)), chr(47) + "etc" + chr(47) + "passwd")
