import re
from collections import Counter
pattern = re.compile(r'(?P<ip>\S+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<method>[A-Z]+) (?P<path>\S+) [^"]*" (?P<status>\d{3})')
hits = Counter()
for line in open("access.log", errors="replace"):
    m = pattern.match(line)
    if m and m["path"].startswith("/api/"):
        hits[m.group("path").split("?")[0]] += 1
print(hits.most_common(10))
