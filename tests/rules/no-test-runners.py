import timeit

# ruleid: no-test-runners
import code

# ruleid: no-test-runners
import cProfile

# ruleid: no-test-runners
from doctest import run_docstring_examples

# ruleid: no-test-runners
import pdb, json

# ruleid: no-test-runners
from timeit import timeit as measure

# ruleid: no-test-runners
import unittest.mock

# ruleid: no-test-runners
from IPython import get_ipython

# ruleid: no-test-runners
import profile as p

# ruleid: no-test-runners
seconds = timeit.repeat("print(1)")

# ok: no-test-runners
from time import perf_counter

# ok: no-test-runners
import codecarbon

# ok: no-test-runners
start = timeit.default_timer()
# ok: no-test-runners
columns = {"trace": perf_counter(), "code": 1}
