from itertools import islice, chain, accumulate, batched, compress, count, cycle, dropwhile, takewhile, product, permutations, combinations, starmap, tee, zip_longest, repeat, filterfalse
from collections import ChainMap, OrderedDict, UserDict, namedtuple
from collections.abc import Generator, Callable


def chunked(iterable, size):
    it = iter(iterable)
    while chunk := tuple(islice(it, size)):
        yield chunk


def running_mean() -> Generator[float, float, str]:
    total, n = 0.0, 0
    value = yield 0.0
    while value is not None:
        total += value
        n += 1
        value = yield total / n
    return f"{n} values"


def collect():
    summary = yield from running_mean()
    print("finished:", summary)


avg = collect()
next(avg)
for x in (10, 20, 30):
    print(avg.send(x))
try:
    avg.send(None)
except StopIteration:
    pass


class CaseInsensitive(UserDict):
    def __setitem__(self, key, item):
        self.data[key.lower()] = item

    def __getitem__(self, key):
        return self.data[key.lower()]


settings = ChainMap({"a": 1}, {"a": 2, "b": 3})
Point = namedtuple("Point", ["x", "y"], defaults=[0])
print(dict(settings), Point(1)._replace(y=5), CaseInsensitive(Foo=1)["FOO"])
print(list(accumulate([1, 2, 3], lambda a, b: a * b)), list(chain.from_iterable([[1], [2, 3]])), list(zip_longest("ab", "c", fillvalue="-")))
print(list(takewhile(lambda v: v < 5, count(1))), [*starmap(pow, [(2, 3), (3, 2)])], list(compress("abcd", [1, 0, 1, 0])), next(cycle([9])))
evens, odds = tee(range(10))
print(sum(filter(lambda n: n % 2 == 0, evens)), sum(filterfalse(lambda n: n % 2 == 0, odds)), list(chunked("abcdefg", 3)))
print(sum(1 for p in permutations("abc") if p[0] < p[-1]), len(list(combinations(range(5), 2))), list(product([0, 1], repeat=2)), list(repeat("x", 2)))
