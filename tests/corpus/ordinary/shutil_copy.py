import shutil
from pathlib import Path
Path("a.txt").write_text("x")
shutil.copy("a.txt", "b.txt")
print(Path("b.txt").read_text())
