class U:
    def __int__(self):
        x.clear()
        return 1
    __index__ = __int__
x = bytearray(9)
x[1] = U()
