import io
import zipfile
from pathlib import Path

out = Path("output")
out.mkdir(exist_ok=True)
for n in range(3):
    (out / f"part-{n}.txt").write_text(f"part {n}\n")
with zipfile.ZipFile("parts.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(out.glob("part-*.txt")):
        archive.write(path, path.name)
    archive.writestr("readme.txt", "made by the report")
with zipfile.ZipFile("parts.zip") as archive:
    for info in archive.infolist():
        with archive.open(info) as file:
            print(info.filename, len(io.TextIOWrapper(file).read()))
