import re
from decimal import Decimal
TEXT = open("invoice.txt", encoding="utf-8").read()
pats = {
    "number": r"(?:Invoice|Rechnung)\s*(?:No\.?|Nr\.?|#)\s*:?\s*(?P<v>[A-Z0-9/-]+)",
    "date": r"(?:Date|Datum)\s*:?\s*(?P<v>\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}-\d{2}-\d{2})",
    "total": r"(?:Total|Summe|Gesamt)[^\d]*(?P<v>\d{1,3}(?:[.,\s]\d{3})*[.,]\d{2})",
    "iban": r"\b(?P<v>[A-Z]{2}\d{2}(?:\s?\w{4}){3,7})\b",
}
found = {k: (m["v"].strip() if (m := re.search(p, TEXT, re.I)) else None) for k, p in pats.items()}
def iban_ok(s):
    s = re.sub(r"\s", "", s)
    s = s[4:] + s[:4]
    return int("".join(str(int(c, 36)) for c in s)) % 97 == 1
line = re.compile(r"^(?P<qty>\d+)\s+x\s+(?P<what>.+?)\s+@\s+(?P<price>[\d.]+)$", re.M)
items = [m.groupdict() for m in line.finditer(TEXT)]
total = sum(Decimal(i["qty"]) * Decimal(i["price"]) for i in items)
masked = re.sub(r"\b(\d{4})\d{8}(\d{4})\b", lambda m: f"{m[1]}…{m[2]}", TEXT)
print(found, total, found["iban"] and iban_ok(found["iban"]), re.split(r"[;,]\s*", "a; b,c"), masked[:50], re.escape("a.b"), sep="\n")
