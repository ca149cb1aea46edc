import re
from collections import Counter, defaultdict, deque
text = "To be, or not to be: that is the question."
words = re.findall(r"\b\w+\b", text.lower())
index = defaultdict(list)
for i, w in enumerate(words):
    index[w].append(i)
print(Counter(words).most_common(2), dict(index)["to"], deque(words, maxlen=2))
print(re.sub(r"(?P<a>\w+) (?P<b>\w+)", r"\g<b> \g<a>", text, count=1))
