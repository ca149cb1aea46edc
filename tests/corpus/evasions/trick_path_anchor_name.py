from pathlib import Path
top = Path.cwd().anchor
print(Path(top).joinpath("etc").exists())
