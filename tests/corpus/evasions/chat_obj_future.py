import statistics
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor() as pool:
    fut = pool.submit(lambda: statistics.nothing)
print(fut.exception().obj)
