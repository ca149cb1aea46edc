import sys
from itertools import product
grid = [[int(c) for c in line.strip()] for line in open("sudoku.txt") if line.strip()]
rows = [set(r) - {0} for r in grid]
cols = [set(c) - {0} for c in zip(*grid)]
boxes = [[set() for _ in range(3)] for _ in range(3)]
for r, c in product(range(9), repeat=2):
    boxes[r // 3][c // 3].add(grid[r][c])
def solve():
    best = None
    for r, c in product(range(9), range(9)):
        if grid[r][c] == 0:
            options = set(range(1, 10)) - rows[r] - cols[c] - boxes[r // 3][c // 3]
            if best is None or len(options) < len(best[2]):
                best = r, c, options
    if best is None:
        return True
    r, c, options = best
    for v in options:
        grid[r][c] = v
        for s in (rows[r], cols[c], boxes[r // 3][c // 3]): s.add(v)
        if solve():
            return True
        for s in (rows[r], cols[c], boxes[r // 3][c // 3]): s.discard(v)
    grid[r][c] = 0
    return False
sys.stdout.write("\n".join("".join(map(str, r)) for r in grid) + "\n" if solve() else "unsolvable\n")
