from functools import lru_cache, reduce, partial
import operator
@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(90), reduce(operator.mul, range(1, 10)), partial(round, ndigits=2)(1.234), fib.cache_info().hits)
