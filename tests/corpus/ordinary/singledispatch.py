from functools import singledispatch, lru_cache, partial, wraps
@singledispatch
def show(x):
    return "other"
@show.register
def _(x: int):
    return "int"
@show.register(list)
def _(x):
    return "list"
def logged(f):
    @wraps(f)
    def inner(*a, **k):
        return f(*a, **k)
    return inner
@logged
@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(show(3), show([]), fib(20), partial(pow, 2)(5))
