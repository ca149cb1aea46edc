from concurrent.futures import ThreadPoolExecutor, as_completed
import threading, queue, time, json
from pathlib import Path
lock = threading.Lock()
stats = {"files": 0, "lines": 0}
def count(path):
    lines = sum(1 for _ in path.open(encoding="utf-8", errors="replace"))
    with lock:
        stats["files"] += 1
        stats["lines"] += lines
    return path.name, lines
with ThreadPoolExecutor(max_workers=4, thread_name_prefix="reader") as pool:
    futures = {pool.submit(count, p): p for p in Path(".").glob("*.txt")}
    for fut in as_completed(futures, timeout=60):
        try:
            name, n = fut.result()
        except OSError as exc:
            print(futures[fut], "failed:", exc)
        else:
            print(name, n)
q = queue.Queue()
def consumer():
    while (item := q.get()) is not None:
        print(threading.current_thread().name, item ** 2)
        q.task_done()
t = threading.Thread(target=consumer, name="squarer", daemon=True)
t.start()
for i in range(5):
    q.put(i)
q.put(None)
t.join(timeout=5)
done = threading.Event(); done.set()
print(json.dumps(stats), done.is_set())
