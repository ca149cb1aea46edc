from PIL import Image, ImageDraw, ImageFont, ImageFilter, ImageOps
import glob
for name in sorted(glob.glob("images/*.png")):
    im = Image.open(name).convert("RGB")
    im.thumbnail((256, 256))
    ImageDraw.Draw(im).text((5, 5), name, fill="white", font=ImageFont.load_default())
    im.filter(ImageFilter.GaussianBlur(1)).save(name.replace(".png", "_small.jpg"), quality=85)
