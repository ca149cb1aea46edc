from pathlib import Path
import zipfile
root = Path("data")
for archive in root.glob("*.zip"):
    with zipfile.ZipFile(archive) as z:
        for member in z.namelist():
            if member.endswith(".csv") and not member.startswith("/") and ".." not in member:
                z.extract(member, root / "unpacked")
print(sorted(p.relative_to(root).as_posix() for p in root.rglob("*.csv")))
