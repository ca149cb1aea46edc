import time, gc
t0 = time.perf_counter()
s = sum(i * i for i in range(10**6))
print(f"{time.perf_counter() - t0:.3f}s", s); gc.collect()
