import sys
from functools import cache
sys.setrecursionlimit(5000)
items = [("laptop", 3, 2000), ("tv", 4, 3000), ("ring", 1, 1500), ("guitar", 1, 1500)]
@cache
def best(i, cap):
    if i == len(items) or cap == 0:
        return 0, ()
    name, w, v = items[i]
    skip = best(i + 1, cap)
    if w > cap:
        return skip
    val, chosen = best(i + 1, cap - w)
    return max(skip, (val + v, (name,) + chosen))
def lcs(a, b):
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            dp[i][j] = dp[i-1][j-1] + 1 if x == y else max(dp[i-1][j], dp[i][j-1])
    return dp[-1][-1]
def sieve(n):
    flags = bytearray([1]) * (n + 1)
    flags[:2] = b"\0\0"
    for p in range(2, int(n ** .5) + 1):
        if flags[p]:
            flags[p*p::p] = bytes(len(range(p*p, n + 1, p)))
    return [i for i, f in enumerate(flags) if f]
print(best(0, 5), lcs("AGGTAB", "GXTXAYB"), len(sieve(10_000)), best.cache_info().hits)
def queens(n, row=0, cols=frozenset(), d1=frozenset(), d2=frozenset()):
    if row == n:
        return 1
    return sum(queens(n, row + 1, cols | {c}, d1 | {row - c}, d2 | {row + c}) for c in range(n) if c not in cols and row - c not in d1 and row + c not in d2)
print(queens(6))
