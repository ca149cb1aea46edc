from PIL import Image
Image.open("x.jpg").load_djpeg()
