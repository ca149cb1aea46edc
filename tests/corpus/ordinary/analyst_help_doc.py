import math
print(math.sqrt.__doc__)
