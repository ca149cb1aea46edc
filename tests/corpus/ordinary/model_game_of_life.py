import random


def step(cells):
    counts = {}
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    key = (x + dx, y + dy)
                    counts[key] = counts.get(key, 0) + 1
    return {cell for cell, n in counts.items() if n == 3 or (n == 2 and cell in cells)}


random.seed(3)
cells = {(random.randrange(10), random.randrange(10)) for _ in range(30)}
for _ in range(20):
    cells = step(cells)
print(len(cells))
print("\n".join("".join("#" if (x, y) in cells else "." for x in range(10)) for y in range(10)))
