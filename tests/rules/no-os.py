import os

# ruleid: no-os
import posix

# ruleid: no-os
import math, posixpath

# ruleid: no-os
from os.path import join, os as paths

# ruleid: no-os
from ntpath import splitdrive

# ruleid: no-os
from os import *

# ruleid: no-os
o = os
# ruleid: no-os
print(vars_of(os, 1))
# ruleid: no-os
helpers = [os, math]
# ruleid: no-os
table = {"files": os}
# ruleid: no-os
pair = (math, os)


def tools():
    # ruleid: no-os
    return os


# ok: no-os
here = os.path.join("a", "b")
# ok: no-os
os.makedirs("output", exist_ok=True)
# ok: no-os
names = sorted(os.listdir("."))
# ok: no-os
print(os.sep, os.path.basename(here))
