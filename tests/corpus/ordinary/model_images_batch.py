from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageOps

out = Path("thumbs")
out.mkdir(exist_ok=True)
for path in sorted(Path(".").glob("*.jpg")):
    with Image.open(path) as image:
        small = ImageOps.exif_transpose(image).convert("RGB")
        small.thumbnail((200, 200))
        draw = ImageDraw.Draw(small)
        draw.text((5, 5), path.stem, fill="white")
        small.filter(ImageFilter.SHARPEN).save(out / f"{path.stem}.png", optimize=True)
        print(path.name, small.size, small.getpixel((0, 0)))
