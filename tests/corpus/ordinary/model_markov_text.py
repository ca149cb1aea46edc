import random
from collections import defaultdict
from pathlib import Path


def build(words, order=2):
    chain = defaultdict(list)
    for i in range(len(words) - order):
        chain[tuple(words[i:i + order])].append(words[i + order])
    return chain


words = Path("book.txt").read_text(encoding="utf-8").split()
chain = build(words)
random.seed(1)
state = random.choice(list(chain))
out = list(state)
for _ in range(30):
    options = chain.get(tuple(out[-2:]))
    if not options:
        break
    out.append(random.choice(options))
print(" ".join(out))
