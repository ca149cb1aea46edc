import os
import os as o

# ruleid: no-other-os
from os import setuid

# ruleid: no-other-os
from os import pipe as tube, dup2

# ruleid: no-other-os
os.setsid()
# ruleid: no-other-os
o.openpty()
# ruleid: no-other-os
handle = os.open("a", os.O_RDWR)
# ruleid: no-other-os
os.memfd_create("x")
# ruleid: no-other-os
limit = os.sched_setaffinity
# ruleid: no-other-os
os.truncate("a.csv", 0)

# ok: no-other-os
os.makedirs("a", exist_ok=True)
# ok: no-other-os
size = os.path.getsize("a.csv")
# ok: no-other-os
for folder, folders, files in os.walk("."):
    # ok: no-other-os
    print(os.path.join(folder, files[0]), os.sep)
# ok: no-other-os
from os.path import join, splitext
# ok: no-other-os
os.rmdir("a")
