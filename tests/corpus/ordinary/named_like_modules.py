"""Content of genomes and shares of platforms."""

import pandas as pd

__author__ = "An analyst"
__copyright__ = "2024"
__credits__ = ["A colleague"]
__status__ = "draft"

genome = "GGCATTACGCGC"
gc = sum(base in "GC" for base in genome) / len(genome)
rates = [gc, 1 - gc]
share = gc
platform = pd.Series({"web": 120, "app": 80})
print(platform.idxmax(), platform.copy().sum(), round(share, 3), rates)


def describe(types):
    return types.items()


print(describe({"a": "int"}))
