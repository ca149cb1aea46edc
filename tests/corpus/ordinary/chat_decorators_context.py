import functools
import time
from contextlib import contextmanager, suppress, ExitStack, redirect_stdout, nullcontext
from io import StringIO
import logging

log = logging.getLogger("etl")
log.setLevel(logging.DEBUG)
handler = logging.StreamHandler()
handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)-8s %(message)s", datefmt="%H:%M:%S"))
log.addHandler(handler)


def retry(times=3, exceptions=(ValueError,), delay=0.0):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            last = None
            for attempt in range(1, times + 1):
                try:
                    return func(*args, **kwargs)
                except exceptions as exc:
                    last = exc
                    log.warning("%s failed (%d/%d): %s", func.__name__, attempt, times, exc)
                    time.sleep(delay)
            raise RuntimeError(f"{func.__name__} gave up") from last
        return wrapper
    return decorate


@contextmanager
def timed(label):
    start = time.perf_counter()
    try:
        yield
    finally:
        log.info("%s took %.3f s", label, time.perf_counter() - start)


counter = {"n": 0}


@retry(times=3)
def flaky():
    counter["n"] += 1
    if counter["n"] < 3:
        raise ValueError("not yet")
    return counter["n"]


with timed("flaky"), suppress(RuntimeError):
    print(flaky())
buffer = StringIO()
with redirect_stdout(buffer):
    print("captured")
print(buffer.getvalue().strip().upper())
with ExitStack() as stack:
    files = [stack.enter_context(open(f"output/part{i}.txt", "w")) for i in range(3)]
    for i, f in enumerate(files):
        print(i, file=f)
with nullcontext([1, 2]) as xs:
    print(sum(xs))
