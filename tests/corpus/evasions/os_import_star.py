from os import *
system("id")
