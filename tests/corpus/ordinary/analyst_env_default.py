import os
workers = os.cpu_count() or 1
print(workers > 0, os.linesep == "\n")
