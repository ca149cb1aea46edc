import os
from pathlib import Path

# ruleid: no-executable-files
import stat

# ruleid: no-executable-files
Path("encoder").chmod(0o755)
# ruleid: no-executable-files
os.chmod("a", 0o4755)
# ruleid: no-executable-files
Path("encoder").write_text("#!/bin/sh\necho x")
with open("run", "w") as file:
    # ruleid: no-executable-files
    file.write("#!/usr/bin/env python3\n")

# ok: no-executable-files
Path("notes.md").write_text("# Title")
# ok: no-executable-files
size = os.stat("a").st_size
# ok: no-executable-files
Path("shebang.txt").write_text("a #! in the middle")
