import re
import unicodedata
from pathlib import Path


def slug(text):
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "item"


titles = ["Ventes à Paris", "Über alles", "C/C++ rows"]
out = Path("output")
out.mkdir(exist_ok=True)
for title in titles:
    (out / f"{slug(title)}.txt").write_text(title, encoding="utf-8")
print([slug(title) for title in titles])
