import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
lock = threading.Lock()
def square(x):
    with lock:
        return x * x
with ThreadPoolExecutor(max_workers=4) as pool:
    print(sorted(pool.map(square, range(5))))
    futures = [pool.submit(square, i) for i in range(2)]
    print(sorted(f.result() for f in as_completed(futures)))
