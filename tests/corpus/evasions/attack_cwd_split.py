import os
open(os.getcwd().split("/")[0] + "/srv/rows.txt")
