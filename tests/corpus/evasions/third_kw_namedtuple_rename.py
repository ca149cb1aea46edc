from collections import namedtuple
import numpy as np
Fake = namedtuple("Fake", ["_" * 2 + "array_interface" + "_" * 2])
