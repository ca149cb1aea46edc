from pathlib import Path

# ruleid: no-startup-files
Path("sitecustomize.py").write_text("x")
# ruleid: no-startup-files
(Path("lib") / "boot.pth").write_text("import x")
# ruleid: no-startup-files
with open("matplotlibrc", "w") as file:
    file.write("backend: module://x")
# ruleid: no-startup-files
Path("numpy/__init__.py").write_text("x")
# ruleid: no-startup-files
open(".bashrc", "a").write("x")

# ok: no-startup-files
Path("result.csv").write_text("a,b")
# ok: no-startup-files
open("path.txt", "w").write("x")
# ok: no-startup-files
note = "see sitecustomize.py"
