import os
open(os.getcwd().replace("home", "etc") + "/passwd")
