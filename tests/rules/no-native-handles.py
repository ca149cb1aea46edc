import numpy as np
import pyarrow as pa
import scipy

# ruleid: no-native-handles
libc = np.ctypeslib.ctypes.CDLL(None)
# ruleid: no-native-handles
lib = np.ctypeslib.load_library("libc.so.6", "/lib")
# ruleid: no-native-handles
pointer = np.zeros(3).ctypes
# ruleid: no-native-handles
memory = pa.foreign_buffer(0, 10)
# ruleid: no-native-handles
call = scipy.LowLevelCallable

# ok: no-native-handles
data = np.frombuffer(b"\x00" * 8, dtype="f8")
# ok: no-native-handles
buffer = pa.py_buffer(b"abc")
# ruleid: no-native-handles
from scipy import LowLevelCallable
