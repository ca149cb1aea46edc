def outer(os=None):
    def inner(c):
        import os
        return os
    return inner
print(outer()("id"))
