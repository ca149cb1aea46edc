import random
for lib in [random]:
    lib._os.system("echo REACHED")
