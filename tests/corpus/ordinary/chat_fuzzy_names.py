import pandas as pd, re, unicodedata
from difflib import SequenceMatcher
LEGAL = re.compile(r"\b(gmbh|ag|inc|ltd|llc|co|kg|s\.?a\.?)\b\.?", re.I)
def clean(name: str) -> str:
    name = unicodedata.normalize("NFKC", name).lower()
    name = name.replace("&", " and ").replace("ß", "ss")
    name = LEGAL.sub("", name)
    name = re.sub(r"[^\w\s]", " ", name)
    return " ".join(name.split())
def soundex(s):
    codes = {**dict.fromkeys("bfpv", "1"), **dict.fromkeys("cgjkqsxz", "2"), **dict.fromkeys("dt", "3"), "l": "4", **dict.fromkeys("mn", "5"), "r": "6"}
    if not s: return "0000"
    out, prev = s[0].upper(), codes.get(s[0], "")
    for ch in s[1:]:
        code = codes.get(ch, "")
        if code and code != prev:
            out += code
        prev = code
    return (out + "000")[:4]
crm = pd.read_csv("crm.csv")["company"].dropna().unique()
erp = pd.read_csv("erp.csv")["company"].dropna().unique()
blocks = {}
for name in erp:
    blocks.setdefault(soundex(clean(name)), []).append(name)
matches = []
for name in crm:
    c = clean(name)
    best = max(blocks.get(soundex(c), []), key=lambda o: SequenceMatcher(a=c, b=clean(o)).ratio(), default=None)
    score = SequenceMatcher(None, c, clean(best)).ratio() if best else 0
    matches.append({"crm": name, "erp": best, "score": round(score, 3), "ok": score >= .85})
pd.DataFrame(matches).sort_values("score").to_excel("output/matches.xlsx", index=False)
