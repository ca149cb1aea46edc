import argparse
import numpy as np
parser = argparse.ArgumentParser()
parser.add_argument("--x", dest="_" * 2 + "array_interface" + "_" * 2, default={"shape": (8,), "typestr": "|u1", "data": (4194304, False), "version": 3})
fake = parser.parse_args([])
print(np.asarray(fake))
