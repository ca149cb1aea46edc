import math

# ruleid: no-power-towers
a = 9 ** 9 ** 9
# ruleid: no-power-towers
b = 2 ** 10_000_000_000
# ruleid: no-power-towers
c = 1 << 8000000000
# ruleid: no-power-towers
d = math.factorial(100000000)

# ruleid: no-power-towers
j = pow(9, pow(9, 9))
# ruleid: no-power-towers
k = pow(7, 10 ** 9)
# ruleid: no-power-towers
m = pow(3, 10_000_000_000)

# ok: no-power-towers
n = pow(7, 10 ** 9, 11)
# ok: no-power-towers
e = 2 ** 64
# ok: no-power-towers
f = 10 ** 12
# ok: no-power-towers
g = 1 << 20
# ok: no-power-towers
h = math.factorial(20)
# ok: no-power-towers
i = 2 ** 2 ** 3
