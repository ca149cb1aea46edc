from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps, ImageStat, UnidentifiedImageError
import numpy as np
from pathlib import Path

out = Path("output"); out.mkdir(exist_ok=True)
rows = []
for p in Path(".").iterdir():
    if p.suffix.lower() not in {".png", ".jpg", ".jpeg"}:
        continue
    try:
        with Image.open(p) as im:
            im = ImageOps.exif_transpose(im).convert("RGB")
            exif = im.getexif()
            stat = ImageStat.Stat(im)
            arr = np.asarray(im, dtype=np.float32) / 255
            lum = arr @ [0.2126, 0.7152, 0.0722]
            rows.append((p.name, *im.size, lum.mean(), stat.stddev, exif.get(306)))
            thumb = im.copy()
            thumb.thumbnail((128, 128), Image.Resampling.LANCZOS)
            draw = ImageDraw.Draw(thumb)
            font = ImageFont.load_default()
            draw.rectangle([0, 0, 60, 12], fill=(0, 0, 0))
            draw.text((2, 1), p.stem[:10], fill="white", font=font)
            thumb.filter(ImageFilter.SHARPEN).save(out / f"{p.stem}_thumb.png", optimize=True)
            ImageEnhance.Contrast(im).enhance(1.3).save(out / (p.stem + ".jpg"), quality=85)
    except UnidentifiedImageError:
        print("not an image:", p)
for r in sorted(rows, key=lambda r: r[3], reverse=True):
    print(*r, sep="\t")
sheet = Image.new("RGBA", (256, 256), (255, 255, 255, 0))
for i, (name, *_rest) in enumerate(rows[:4]):
    tile = Image.fromarray((np.random.rand(128, 128, 3) * 255).astype("uint8"))
    sheet.paste(tile, (128 * (i % 2), 128 * (i // 2)))
sheet.save("output/sheet.png")
