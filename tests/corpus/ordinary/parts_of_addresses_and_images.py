from urllib.parse import parse_qs, urlparse

from PIL import Image

address = urlparse("https://shop.example/list?page=2&sort=price")
print(address.query, parse_qs(address.query), dict(text=address.query))
with Image.open("photo.png") as image:
    if image.format not in ("PNG", "JPEG"):
        print("no photo", image.format)
