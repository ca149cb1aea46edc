from pathlib import Path
print(Path("etc/x".center(7, "/")).read_text())
