import re
from collections import Counter, defaultdict

LINE = re.compile(r'(?P<ip>\S+) \S+ \S+ \[(?P<when>[^\]]+)\] "(?P<verb>[A-Z]+) (?P<path>/\S*) [^"]*" (?P<status>\d{3}) (?P<size>\d+|-)')
hits, errors, sizes = Counter(), Counter(), defaultdict(list)
with open("access.log", encoding="utf-8", errors="replace") as log:
    for line in log:
        if not (found := LINE.match(line)):
            continue
        path = found["path"].split("?")[0]
        hits[path] += 1
        if int(found["status"]) >= 500:
            errors[path] += 1
        if found["size"] != "-":
            sizes[path].append(int(found["size"]))
for path, count in hits.most_common(5):
    print(f"{path:<30} {count:>6} {errors[path] / count:>7.1%} {sum(sizes[path]) // max(len(sizes[path]), 1):>8}")
print(hits["/"], "/admin" in hits)
