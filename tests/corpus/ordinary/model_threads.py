import threading
from concurrent.futures import ThreadPoolExecutor, as_completed


class Worker(threading.Thread):
    def __init__(self, items, results, lock):
        super().__init__()
        self._items = items
        self._results = results
        self._lock = lock

    def run(self):
        for item in self._items:
            with self._lock:
                self._results.append(item * 2)


lock, results = threading.Lock(), []
workers = [Worker([n, n + 1], results, lock) for n in range(2)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
with ThreadPoolExecutor(max_workers=4) as pool:
    futures = {pool.submit(pow, n, 2): n for n in range(4)}
    print({futures[done]: done.result() for done in as_completed(futures)}, sorted(results))
