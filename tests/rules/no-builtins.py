import gzip
import json

# ruleid: no-builtins
import builtins

# ruleid: no-builtins
from builtins import eval as calculate

# ruleid: no-builtins
from enum import bltns

# ruleid: no-builtins
box = __builtins__
# ruleid: no-builtins
f = json.encoder.builtins
# ruleid: no-builtins
gzip.builtins.print(1)
# ruleid: no-builtins
import __main__

# ok: no-builtins
total = sum([1, 2])
# ok: no-builtins
words = {"builtins": total}
