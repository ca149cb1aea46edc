import os
print("REACHED", open(os.path.join(os.sep, "etc", "passwd")).readline())
