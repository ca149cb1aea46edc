import sys
ROMAN = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
def to_roman(n: int) -> str:
    """
    >>> to_roman(1994)
    'MCMXCIV'
    """
    if not 0 < n < 4000: raise ValueError("out of range")
    out = []
    for v, r in ROMAN:
        q, n = divmod(n, v)
        out.append(r * q)
    return "".join(out)
def from_roman(s):
    vals = dict((r, v) for v, r in ROMAN)
    total = 0
    for a, b in zip(s, s[1:] + " "):
        total += -vals[a] if vals.get(b, 0) > vals[a] else vals[a]
    return total
if __name__ == "__main__":
    args = sys.argv[1:] or ["1994", "MMXXIV"]
    for a in args:
        print(a, to_roman(int(a)) if a.isdigit() else from_roman(a))
    assert all(from_roman(to_roman(i)) == i for i in range(1, 4000))
