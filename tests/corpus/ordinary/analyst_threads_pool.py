from concurrent.futures import ThreadPoolExecutor, as_completed
def work(n):
    return n, sum(range(n))
with ThreadPoolExecutor(max_workers=4) as pool:
    futures = {pool.submit(work, n): n for n in (10, 100, 1000)}
    print(sorted(f.result() for f in as_completed(futures)))
