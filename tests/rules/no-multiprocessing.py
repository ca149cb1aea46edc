# ruleid: no-multiprocessing
import multiprocessing as mp

# ruleid: no-multiprocessing
from multiprocessing import Pool, shared_memory

# ruleid: no-multiprocessing
from concurrent.futures import ProcessPoolExecutor

# ruleid: no-multiprocessing
from concurrent.futures.process import BrokenProcessPool

import concurrent.futures

# ruleid: no-multiprocessing
import dask.dataframe as dd

# ruleid: no-multiprocessing
import ray

# ruleid: no-multiprocessing
pool = concurrent.futures.ProcessPoolExecutor(2)

# ok: no-multiprocessing
threads = concurrent.futures.ThreadPoolExecutor(4)
# ok: no-multiprocessing
from concurrent.futures import ThreadPoolExecutor, as_completed

# ok: no-multiprocessing
processes = {"multiprocessing": 2}
