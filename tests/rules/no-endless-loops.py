import itertools

rows = []
# ruleid: no-endless-loops
while True:
    pass
# ruleid: no-endless-loops
while True:
    rows.append("x" * 1000)
# ruleid: no-endless-loops
numbers = list(itertools.count())
# ruleid: no-endless-loops
while 1:
    pass
# ruleid: no-endless-loops
while True:
    print("x")

# ruleid: no-endless-loops
while 1:
    rows.append(rows)
# ruleid: no-endless-loops
for row in itertools.cycle([1]):
    pass
# ruleid: no-endless-loops
for row in iter(int, 1):
    pass

# ok: no-endless-loops
for row in iter(reader.readline, ""):
    pass
# ok: no-endless-loops
while True:
    rows.append(1)
    if len(rows) > 3:
        break
# ok: no-endless-loops
for n, row in zip(itertools.count(), rows):
    print(n, row)
# ok: no-endless-loops
while len(rows) > 1:
    rows.pop()
