import time
from contextlib import contextmanager, suppress, redirect_stdout
import io
@contextmanager
def timed(label):
    start = time.perf_counter()
    try:
        yield
    finally:
        print(label, "done")
buf = io.StringIO()
with redirect_stdout(buf), timed("x"):
    print("hidden")
with suppress(KeyError):
    {}["a"]
print(len(buf.getvalue()))
