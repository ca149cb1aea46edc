import os.path
f = os.path
f.os.system("id")
