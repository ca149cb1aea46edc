import os
open(os.getcwd()[:1] + "/srv/rows.txt")
