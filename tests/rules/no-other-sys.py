import sys

# ruleid: no-other-sys
from sys import getrefcount, path

# ruleid: no-other-sys
sys.path.insert(0, ".")
# ruleid: no-other-sys
s = sys
# ruleid: no-other-sys
sys.setdlopenflags(2)
# ruleid: no-other-sys
where = sys.executable
# ruleid: no-other-sys
real = sys.__stdout__

# ok: no-other-sys
from sys import exit, stderr

# ok: no-other-sys
print("x", file=sys.stderr)
# ok: no-other-sys
limit = sys.maxsize
# ok: no-other-sys
sys.exit(1)
# ok: no-other-sys
kind = sys.platform
