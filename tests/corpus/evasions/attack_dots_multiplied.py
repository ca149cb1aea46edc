from pathlib import Path
print(list(Path("." * 2).iterdir()))
