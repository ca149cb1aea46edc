import glob
glob.glob("/home/*")
