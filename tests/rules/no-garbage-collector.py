# ruleid: no-garbage-collector
import gc

# ruleid: no-garbage-collector
from gc import get_objects

# ruleid: no-garbage-collector
import faulthandler

# ruleid: no-garbage-collector
import tracemalloc

# ok: no-garbage-collector
import csv

# ok: no-garbage-collector
gc = {"objects": csv}
