import re
import gzip
from collections import defaultdict, deque
from datetime import datetime, timedelta
from itertools import groupby, islice, pairwise
from operator import itemgetter

LOG = re.compile(
    r'''(?P<ip>\S+)\s\S+\s\S+\s
        \[(?P<time>[^\]]+)\]\s
        "(?P<method>[A-Z]+)\s(?P<path>\S+)[^"]*"\s
        (?P<status>\d{3})\s(?P<size>\d+|-)''', re.VERBOSE)


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as f:
        for line in f:
            if m := LOG.match(line):
                d = m.groupdict()
                d["time"] = datetime.strptime(d["time"], "%d/%b/%Y:%H:%M:%S %z")
                d["size"] = 0 if d["size"] == "-" else int(d["size"])
                yield d


def sessions(records, gap=timedelta(minutes=30)):
    records = sorted(records, key=itemgetter("ip", "time"))
    for ip, hits in groupby(records, key=itemgetter("ip")):
        current = deque()
        for hit in hits:
            if current and hit["time"] - current[-1]["time"] > gap:
                yield ip, list(current)
                current.clear()
            current.append(hit)
        if current:
            yield ip, list(current)


stats = defaultdict(lambda: {"n": 0, "bytes": 0, "durations": []})
for ip, hits in sessions(read("access.log.gz")):
    s = stats[ip]
    s["n"] += 1
    s["bytes"] += sum(h["size"] for h in hits)
    s["durations"].append((hits[-1]["time"] - hits[0]["time"]).total_seconds())
    gaps = [(b["time"] - a["time"]).seconds for a, b in pairwise(hits)]
for ip, s in islice(sorted(stats.items(), key=lambda kv: -kv[1]["n"]), 10):
    print(f"{ip:<16}{s['n']:>5}{s['bytes'] / 1024:>10.1f} KiB")
