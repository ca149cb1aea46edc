from functools import reduce
from pathlib import Path
root = reduce(lambda path, _: path.parent, range(9), Path.cwd())
print(sorted(root.iterdir()))
