from pathlib import Path, PurePosixPath
for p in sorted(Path(".").glob("*.csv")):
    print(p.stem, p.suffix, p.name, p.stat().st_size)
print(PurePosixPath("/srv/data/a.csv").name, Path("out") / "x.csv")
