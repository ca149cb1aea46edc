import re
import string
from collections import Counter

text = open("article.txt", encoding="utf-8").read()
table = str.maketrans("", "", string.punctuation)
words = text.lower().translate(table).split()
stop = {"the", "a", "of", "and"}
counts = Counter(word for word in words if word not in stop and not word.isdigit())
sentences = re.split(r"(?<=[.!?])\s+", text)
masked = re.sub(r"\b[\w.]+@[\w.]+\b", lambda m: m.group()[0] + "***", text)
print(counts.most_common(10), len(sentences), len(set(words)) / max(len(words), 1), masked[:80])
with open("words.txt", "w", encoding="utf-8") as out:
    out.writelines(f"{word}\t{n}\n" for word, n in sorted(counts.items()))
