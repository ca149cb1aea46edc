from typing import Iterable, TypeVar, TypeAlias, ParamSpec, Callable, NewType, Union
from functools import wraps, reduce
from itertools import chain, combinations
from collections.abc import Sequence
import operator
T = TypeVar("T"); P = ParamSpec("P"); R = TypeVar("R")
UserId = NewType("UserId", int)
Matrix: TypeAlias = "list[list[float]]"
def memo(fn: Callable[P, R]) -> Callable[P, R]:
    cache: dict = {}
    @wraps(fn)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        key = (args, tuple(sorted(kwargs.items())))
        if key not in cache:
            cache[key] = fn(*args, **kwargs)
        return cache[key]
    inner.cache = cache
    return inner
@memo
def powerset(xs: tuple[T, ...]) -> list[tuple[T, ...]]:
    return list(chain.from_iterable(combinations(xs, r) for r in range(len(xs) + 1)))
def transpose(m: Matrix) -> Matrix: return [list(r) for r in zip(*m)]
def compose(*fs): return reduce(lambda f, g: lambda x: f(g(x)), fs)
print(powerset((1, 2, 3)), len(powerset.cache), transpose([[1, 2], [3, 4]]), compose(str, abs, operator.neg)(5), UserId(3), reduce(operator.mul, range(1, 6)), sorted([{"a": 2}, {"a": 1}], key=operator.itemgetter("a")))
