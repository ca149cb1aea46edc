import platform
import sys
import time

started = time.monotonic()
print(platform.python_version(), platform.platform(), sys.version_info[:2], sys.maxsize > 2**32)
time.sleep(0.2)
print(round(time.monotonic() - started, 1) >= 0.2, sys.byteorder, sys.getsizeof([]) > 0)
