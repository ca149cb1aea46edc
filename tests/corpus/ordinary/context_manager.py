import time
from contextlib import contextmanager
class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self
    def __exit__(self, exc_type, exc, tb):
        self.elapsed = time.perf_counter() - self.start
        return False
@contextmanager
def section(name):
    print("begin", name)
    yield name
    print("end")
with Timer() as t, section("x"):
    pass
print(t.elapsed >= 0)
