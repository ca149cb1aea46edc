from enum import Enum
class E(Enum):
    A = chr(47) + "etc" + chr(47) + "passwd"
print(open(E.A.value).read())
