import numpy as np
def outer(np=None):
    def inner():
        try:
            global np
        finally:
            pass
        return [np]
    return inner()
print(outer())
