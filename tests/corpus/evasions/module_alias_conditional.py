import logging, math
lib = logging if 1 else math
lib.os.abort()
