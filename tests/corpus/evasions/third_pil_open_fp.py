from PIL import Image
Image.open(fp=chr(47) + "etc/x.png")
