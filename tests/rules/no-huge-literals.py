import numpy as np

# ruleid: no-huge-literals
a = "x" * 1_000_000_000
# ruleid: no-huge-literals
b = [0] * 500000000
# ruleid: no-huge-literals
c = bytearray(10**10)
# ruleid: no-huge-literals
d = np.zeros((100000, 100000))
# ruleid: no-huge-literals
e = np.ones(2000000000)
# ruleid: no-huge-literals
f = list(range(1000000000))
# ruleid: no-huge-literals
g = b"\x00" * 300000000

# ok: no-huge-literals
h = "-" * 80
# ok: no-huge-literals
i = [0] * 1000000
# ok: no-huge-literals
j = np.zeros((1000, 1000))
# ok: no-huge-literals
k = sum(range(1000000000))
# ok: no-huge-literals
l = 1000000000 * 2
