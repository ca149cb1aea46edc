import os
from collections import Counter

sizes = Counter()
for folder, _, files in os.walk("."):
    for file in files:
        path = os.path.join(folder, file)
        sizes[os.path.splitext(file)[1] or "none"] += os.path.getsize(path)
for suffix, size in sizes.most_common():
    print(f"{suffix:>8} {size:>12,}")
