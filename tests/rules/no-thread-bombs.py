import threading
from concurrent.futures import ThreadPoolExecutor

# ruleid: no-thread-bombs
pool = ThreadPoolExecutor(max_workers=1000)
# ruleid: no-thread-bombs
more = ThreadPoolExecutor(500)
# ruleid: no-thread-bombs
while True:
    threading.Thread(target=print).start()
# ruleid: no-thread-bombs
threading.stack_size(1073741824)

# ok: no-thread-bombs
small = ThreadPoolExecutor(max_workers=4)
# ok: no-thread-bombs
workers = [threading.Thread(target=print) for _ in range(4)]
