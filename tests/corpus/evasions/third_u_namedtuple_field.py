from collections import namedtuple
C = namedtuple("C", "p")
print(open(C(chr(47) + "etc" + chr(47) + "passwd").p).read())
