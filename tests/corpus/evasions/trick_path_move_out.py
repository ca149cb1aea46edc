import os, shutil
shutil.move("a", os.getcwd() + "2")
