from pathlib import Path

HERE = Path(__file__).resolve().parent
INPUTS = sorted((HERE / "inputs").glob("*.json")) if (HERE / "inputs").exists() else []
for path in INPUTS:
    print(path.relative_to(HERE), path.stat().st_size, path.with_suffix(".csv").name)
print(Path.cwd() == HERE, Path(".").absolute().name)
