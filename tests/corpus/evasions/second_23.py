from pathlib import Path
print(*Path.cwd().parents[1].iterdir())
print(Path("/").iterdir())
