import gc
import sys
data = [0] * 10
del data
gc.collect()
print(sys.getsizeof([]) > 0)
