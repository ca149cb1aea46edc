from collections import ChainMap, Counter, OrderedDict, defaultdict, deque

stock = Counter(apples=3, pears=2)
stock.update({"apples": 2})
stock.subtract(pears=1)
defaults = ChainMap({"limit": 5}, {"limit": 1, "unit": "kg"})
recent = deque(maxlen=3)
for name, n in stock.items():
    recent.append(f"{name}={n}")
ordered = OrderedDict(sorted(stock.items(), key=lambda kv: -kv[1]))
ordered.move_to_end("pears", last=False)
nested = defaultdict(lambda: defaultdict(int))
nested["a"]["b"] += 1
print(stock.total(), defaults["limit"], list(recent), list(ordered), dict(nested["a"]))
