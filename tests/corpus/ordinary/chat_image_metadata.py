import json
from PIL import Image, ExifTags
from pathlib import Path
out = []
for path in sorted(Path.cwd().glob("*.jpg")):
    with Image.open(path) as img:
        info = {"file": path.name, "format": img.format, "mode": img.mode, "width": img.width, "height": img.height}
        exif = {ExifTags.TAGS.get(k, k): str(v) for k, v in img.getexif().items()}
        info["taken"] = exif.get("DateTime")
        out.append(info)
        print(f"{path.name}: {img.format} {img.width}x{img.height}")
Path("output/images.json").write_text(json.dumps(out, indent=2))
