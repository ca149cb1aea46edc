def f(d):
    match d:
        case {"kind": "sale", **rest}:
            return sorted(rest)
        case [int(x), str() as y, *_]:
            return x, y
        case None | True:
            return "const"
        case object(real=r) if r:
            return r
        case _:
            return None
print(f({"kind": "sale", "n": 1}), f([1, "a", 2]), f(3))
