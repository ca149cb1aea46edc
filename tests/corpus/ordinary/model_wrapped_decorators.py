import functools
import time


def timed(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        started = time.perf_counter()
        try:
            return func(*args, **kwargs)
        finally:
            wrapper.calls += 1
            wrapper.spent += time.perf_counter() - started
    wrapper.calls, wrapper.spent = 0, 0.0
    return wrapper


def retry(times=3, on=(ValueError,)):
    def decorate(func):
        @functools.wraps(func)
        def inner(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return func(*args, **kwargs)
                except on as error:
                    if attempt == times:
                        raise
                    print(f"{func.__name__}: {error}")
        return inner
    return decorate


@timed
@retry(times=2)
def parse(text):
    return int(text)


print(parse("12"), parse.calls, parse.__name__)
