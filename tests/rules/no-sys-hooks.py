import sys
import threading

# ruleid: no-sys-hooks
from sys import settrace

# ruleid: no-sys-hooks
sys.settrace(lambda *a: None)
# ruleid: no-sys-hooks
sys.excepthook = print
# ruleid: no-sys-hooks
threading.setprofile(print)
# ruleid: no-sys-hooks
listen = sys.addaudithook

# ok: no-sys-hooks
sys.stderr.write("low sample size\n")
# ok: no-sys-hooks
hooks = {"excepthook": 1}
