from pathlib import Path
root = list(Path.cwd().parents)[-1]
print("REACHED", (root / "etc" / "passwd").read_text()[:20])
