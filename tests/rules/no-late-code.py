import logging
import threading
import weakref

# ruleid: no-late-code
import atexit

# ruleid: no-late-code
from atexit import register

# ruleid: no-late-code
logging.atexit.register(print, "x")
# ruleid: no-late-code
weakref.finalize(print, print, "late")
# ruleid: no-late-code
threading._register_atexit(print)

# ok: no-late-code
try:
    print("work")
# ok: no-late-code
finally:
    print("done")
# ok: no-late-code
logging.shutdown()
