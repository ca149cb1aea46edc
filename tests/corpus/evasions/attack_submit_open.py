from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool:
    pool.submit(open, "/srv/rows.txt")
