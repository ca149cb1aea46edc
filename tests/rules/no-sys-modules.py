import sys
import typing

# ruleid: no-sys-modules
from sys import modules as table

# ruleid: no-sys-modules
sys.modules["os"].system("x")
# ruleid: no-sys-modules
loaded = typing.settings.modules
# ruleid: no-sys-modules
sys.meta_path.append(None)

# ok: no-sys-modules
sys.exit(0)
# ok: no-sys-modules
modules = {"a": 1}["a"]
class Course:
    def __init__(self):
        # ok: no-sys-modules
        self.modules = []
