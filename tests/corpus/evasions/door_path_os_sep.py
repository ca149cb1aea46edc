import os
print("REACHED", open(os.sep + "etc" + os.sep + "passwd").readline())
