from os import system
system("id")
