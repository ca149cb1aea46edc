import contextlib
import os

# ruleid: no-folder-change
os.chdir("reports")
# ruleid: no-folder-change
with contextlib.chdir("reports"):
    pass
# ruleid: no-folder-change
from contextlib import chdir as enter

# ruleid: no-folder-change
os.chroot(".")
# ruleid: no-folder-change
move = os.fchdir

# ok: no-folder-change
os.makedirs("reports", exist_ok=True)
# ok: no-folder-change
contextlib.suppress(ValueError)
