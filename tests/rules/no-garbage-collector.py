import gc

# ruleid: no-garbage-collector
from gc import get_objects

# ruleid: no-garbage-collector
import faulthandler

# ruleid: no-garbage-collector
import tracemalloc

# ruleid: no-garbage-collector
found = [thing for thing in gc.get_referrers(1)]
# ruleid: no-garbage-collector
g = gc

# ok: no-garbage-collector
gc.collect()
# ok: no-garbage-collector
gc.disable()
# ok: no-garbage-collector
names = {"gc.get_objects": 1}
