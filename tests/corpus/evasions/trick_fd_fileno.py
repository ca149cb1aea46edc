import sys
open(sys.stdout.fileno(), "wb")
