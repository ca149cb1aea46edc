import numpy as np
def outer(np=None):
    class A:
        class B:
            global np
            x = [np]
    return A
print(outer())
