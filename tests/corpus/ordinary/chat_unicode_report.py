import unicodedata, sys, locale
from collections import Counter
text = open("input.txt", encoding="utf-8").read()
cats = Counter(unicodedata.category(c) for c in text)
scripts = Counter(unicodedata.name(c, "?").split()[0] for c in text if c.isalpha())
odd = [(i, f"U+{ord(c):04X}", unicodedata.name(c, "<unnamed>")) for i, c in enumerate(text) if unicodedata.category(c) in ("Cf", "Co", "Cn") or c == "\u00a0"]
print(f"{len(text)} characters, {len(text.encode('utf-8'))} bytes, {sys.getsizeof(text)} in memory")
for cat, n in cats.most_common(): print(f"{cat}: {n}")
print(scripts, odd[:5])
fixed = text.translate({0xa0: " ", 0x200b: None, ord("“"): '"', ord("”"): '"'}).expandtabs(4)
fixed = "\n".join(line.rstrip() for line in fixed.splitlines())
print(fixed.encode("ascii", "xmlcharrefreplace").decode()[:80], fixed.isascii(), ascii("ü"), "straße".upper(), "İ".casefold(), "x".zfill(4), "{:*^20}".format("mid"))
with open("output/fixed.txt", "w", encoding="utf-8", newline="\n") as f:
    f.write(unicodedata.normalize("NFC", fixed))
