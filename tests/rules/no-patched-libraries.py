import json
import time
from pathlib import Path

import numpy as np
import pandas as pd

# ruleid: no-patched-libraries
json.dumps = lambda *a, **k: "{}"
# ruleid: no-patched-libraries
time.sleep = print
# ruleid: no-patched-libraries
np.mean = sum
# ruleid: no-patched-libraries
pd.DataFrame.sum = print
# ruleid: no-patched-libraries
Path.write_text = print

df = pd.DataFrame({"a": [1]})
# ok: no-patched-libraries
df.columns = ["b"]
# ok: no-patched-libraries
mean = np.mean
# ok: no-patched-libraries
pd.options.display.width = 120
# ruleid: no-patched-libraries
del json.loads
