from pathlib import Path
print("REACHED", Path(Path.cwd().anchor, "etc", "passwd").read_text()[:20])
