import sys

sys.setrecursionlimit(10**6)
grid = [list(row) for row in ("..#..", ".##..", "...#.")]
size = 0


def fill(row, column):
    if not (0 <= row < len(grid) and 0 <= column < len(grid[0])) or grid[row][column] != ".":
        return 0
    grid[row][column] = "o"
    return 1 + sum(fill(row + down, column + right) for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)))


near = 0
for row in range(len(grid)):
    for column in range(len(grid[0])):
        for down in (-1, 0, 1):
            for right in range(-1, 2):
                if 0 <= row + down < len(grid) and 0 <= column + right < len(grid[0]):
                    near += grid[row + down][column + right] == "#"
print(fill(0, 0), near)
