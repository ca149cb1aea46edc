import functools, time
def timed(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        try:
            return fn(*args, **kwargs)
        finally:
            print(fn.__name__, "took")
    return inner
@timed
def f(x: int) -> int:
    """Doubles."""
    return 2 * x
print(f(2), f.__doc__)
