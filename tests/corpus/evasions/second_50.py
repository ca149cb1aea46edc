import os
with os.scandir("/proc") as it:
    print(list(it))
