import numpy as np
def outer(np=None):
    def inner():
        global np
        return np
    return inner()
m = outer()
print(m)
