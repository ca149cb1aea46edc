from os import path
path.os.system("id")
