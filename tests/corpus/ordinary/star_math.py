from math import *
print(sqrt(16), sin(pi / 2))
