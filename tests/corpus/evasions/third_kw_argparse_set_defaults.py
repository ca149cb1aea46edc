import argparse
import numpy as np
parser = argparse.ArgumentParser()
parser.set_defaults(**{"_" * 2 + "array_interface" + "_" * 2: {"shape": (8,), "typestr": "|u1", "data": (4194304, False), "version": 3}})
fake = parser.parse_args([])
print(np.array(fake))
