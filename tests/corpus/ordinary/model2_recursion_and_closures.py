from functools import partial, reduce
from operator import add, itemgetter, mul


def compose(*funcs):
    return reduce(lambda f, g: lambda x: g(f(x)), funcs)


def counter():
    n = 0

    def bump(by=1):
        nonlocal n
        n += by
        return n

    return bump


bump = counter()
bump()
inc = partial(add, 1)
print(compose(inc, partial(mul, 2), str)(4), bump(5), sorted([(2, "b"), (1, "a")], key=itemgetter(0)))


def flatten(items):
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from flatten(item)
        else:
            yield item


print(list(flatten([1, [2, (3, [4])]])), max(map(len, ["a", "bbb"])), list(map(str.upper, "ab")))
