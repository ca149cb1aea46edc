import os.path
os.path.genericpath.os.system("id")
