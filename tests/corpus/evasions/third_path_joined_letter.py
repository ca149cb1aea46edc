import os
sep = os.path.join("a", "b")[1]
print(open(sep.join(["", "etc", "passwd"])).read())
