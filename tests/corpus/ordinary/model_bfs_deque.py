from collections import deque


class Cell:
    def __init__(self, x, y):
        self.x, self.y = x, y
        self._visited = False


grid = [[Cell(x, y) for x in range(4)] for y in range(4)]
start = grid[0][0]
todo = deque([start])
order = []
while todo:
    cell = todo.popleft()
    if cell._visited:
        continue
    cell._visited = True
    order.append((cell.x, cell.y))
    for dx, dy in ((1, 0), (0, 1)):
        if cell.x + dx < 4 and cell.y + dy < 4:
            todo.append(grid[cell.y + dy][cell.x + dx])
print(len(order))
