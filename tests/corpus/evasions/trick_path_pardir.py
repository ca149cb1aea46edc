import os
open(os.path.join(os.pardir, "x"))
