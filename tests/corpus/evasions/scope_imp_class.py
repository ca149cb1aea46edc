import numpy as np
def outer(np=None):
    class A:
        import numpy as np
        x = np
    return A.x
print(outer())
