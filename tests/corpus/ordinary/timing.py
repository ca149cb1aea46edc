import time
from time import perf_counter
start = time.time()
print(perf_counter() > 0, time.time() - start < 5, time.strftime("%Y", time.gmtime(0)))
