import difflib
import math
import string
import textwrap
import unicodedata
from collections import Counter
from functools import lru_cache, reduce

STOP = frozenset("the a an of to in and is it that for on with as".split())


def normalise(s: str) -> str:
    s = unicodedata.normalize("NFKD", s)
    s = "".join(ch for ch in s if not unicodedata.combining(ch))
    return s.casefold().translate(str.maketrans("", "", string.punctuation + "“”‘’–—"))


@lru_cache(maxsize=None)
def levenshtein(a: str, b: str) -> int:
    if not a or not b:
        return len(a) or len(b)
    return min(levenshtein(a[1:], b) + 1, levenshtein(a, b[1:]) + 1, levenshtein(a[1:], b[1:]) + (a[0] != b[0]))


def cosine(a: Counter, b: Counter) -> float:
    dot = sum(a[k] * b[k] for k in a.keys() & b.keys())
    norm = math.sqrt(sum(v * v for v in a.values())) * math.sqrt(sum(v * v for v in b.values()))
    return dot / norm if norm else 0.0


docs = [open(f"doc{i}.txt", encoding="utf8").read() for i in range(3)]
bags = [Counter(w for w in normalise(d).split() if w not in STOP) for d in docs]
total = reduce(lambda x, y: x + y, bags, Counter())
print(total.most_common(5), total.total())
for i, a in enumerate(bags):
    print(" ".join(f"{cosine(a, b):.2f}" for b in bags))
diff = difflib.unified_diff(docs[0].splitlines(keepends=True), docs[1].splitlines(keepends=True), "a", "b", n=1)
print("".join(diff))
print(difflib.get_close_matches("appel", ["apple", "ape", "peach"]), difflib.SequenceMatcher(None, docs[0], docs[2]).ratio())
print(textwrap.fill(textwrap.dedent(docs[0]), width=60, initial_indent="* ", subsequent_indent="  "))
print(levenshtein("kitten", "sitting"), levenshtein.cache_info())
