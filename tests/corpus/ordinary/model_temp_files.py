import shutil
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    base = Path(folder)
    (base / "a").mkdir()
    (base / "a" / "x.txt").write_text("1")
    copied = shutil.copy(base / "a" / "x.txt", "x.txt")
    print(sorted(p.relative_to(base).as_posix() for p in base.rglob("*")), copied)
with tempfile.NamedTemporaryFile("w+", suffix=".csv") as file:
    file.write("a,b\n1,2\n")
    file.seek(0)
    print(file.read().splitlines())
work = Path("work")
work.mkdir(exist_ok=True)
shutil.rmtree(work)
shutil.rmtree("old", ignore_errors=True)
