import sys
from sys import setrecursionlimit

# ruleid: no-deep-recursion
sys.setrecursionlimit(10**6)
# ruleid: no-deep-recursion
setrecursionlimit(100000)

# ok: no-deep-recursion
sys.setrecursionlimit(5000)
# ok: no-deep-recursion
limit = sys.getrecursionlimit()
