import tempfile
from pathlib import Path
with tempfile.TemporaryDirectory() as d:
    p = Path(d) / "x.txt"
    p.write_text("hi")
    print(p.read_text())
