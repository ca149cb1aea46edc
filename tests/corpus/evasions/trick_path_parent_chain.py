from pathlib import Path
up = Path.cwd()
for _ in range(9):
    up = up.parent
print(list(up.iterdir()))
