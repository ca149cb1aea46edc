# ruleid: no-ctypes
import ctypes

# ruleid: no-ctypes
from ctypes import CDLL, c_int

# ruleid: no-ctypes
import ctypes.util

# ruleid: no-ctypes
import _ctypes

# ruleid: no-ctypes
from cffi import FFI

# ruleid: no-ctypes
from numpy import ctypeslib

# ruleid: no-ctypes
import numpy.ctypeslib as native

# ruleid: no-ctypes
from numba import njit

# ok: no-ctypes
import struct

# ok: no-ctypes
from array import array

# ok: no-ctypes
types = array("i", struct.unpack("<i", b"\x01\x00\x00\x00"))
