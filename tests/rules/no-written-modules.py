import os
import shutil
from pathlib import Path

# ruleid: no-written-modules
Path("helper_stats.py").write_text("print(1)")
# ruleid: no-written-modules
(Path("json") / "decoder.pyc").write_bytes(b"x")
# ruleid: no-written-modules
with open("run.sh", "w") as file:
    file.write("echo x")
# ruleid: no-written-modules
Path("payload.so").write_bytes(b"x")
# ruleid: no-written-modules
open("evil.py", mode="a").write("x")

# ruleid: no-written-modules
os.rename("rows.txt", "numpy.py")
# ruleid: no-written-modules
shutil.copy("rows.txt", "json.py")
# ruleid: no-written-modules
Path("rows.txt").rename("pandas.py")

# ok: no-written-modules
os.rename("rows.txt", "rows.csv")
# ok: no-written-modules
name = "run.py".replace(".py", ".sh")
# ok: no-written-modules
Path("rows.csv").write_text("a,b")
# ok: no-written-modules
with open("given.py", "r") as file:
    print(file.read())
# ok: no-written-modules
open("report.txt", "w").write("see run.sh")
