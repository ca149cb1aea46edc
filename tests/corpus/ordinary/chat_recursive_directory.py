from pathlib import Path
from datetime import datetime
import mimetypes, os

root = Path.cwd()
total = 0
print(f"Files below {root.name}:")
for p in sorted(root.rglob("*"), key=lambda q: (q.is_file(), q.name)):
    rel = p.relative_to(root)
    depth = len(rel.parts) - 1
    if p.is_dir():
        print("  " * depth + f"[{p.name}]")
        continue
    st = p.stat()
    total += st.st_size
    kind, _ = mimetypes.guess_type(p.name)
    when = datetime.fromtimestamp(st.st_mtime).strftime("%Y-%m-%d")
    print("  " * depth + f"{p.name} {st.st_size:,} B {when} {kind or 'unknown'}")
print(f"{total / 2**20:.2f} MiB")
for dirpath, dirnames, filenames in os.walk("."):
    dirnames[:] = [d for d in dirnames if not d.startswith(".")]
    print(dirpath, len(filenames))
