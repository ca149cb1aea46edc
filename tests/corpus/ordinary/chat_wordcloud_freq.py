import re, os, glob
from collections import Counter
files = glob.glob("texts/**/*.txt", recursive=True)
c = Counter()
for fn in files:
    name = os.path.splitext(os.path.basename(fn))[0]
    size = os.path.getsize(fn)
    with open(fn, "r", encoding="utf-8", errors="ignore") as f:
        words = re.findall(r"\b[\w'-]{3,}\b", f.read().lower())
    c.update(words)
    print(f"{name}: {len(words)} words, {size} bytes")
if not os.path.exists("output"):
    os.makedirs("output")
with open(os.path.join("output", "freq.tsv"), "w") as out:
    for w, n in c.most_common():
        out.write(f"{w}\t{n}\n")
print("Top 10:", ", ".join("%s (%d)" % wn for wn in c.most_common(10)))
