class U:
    def __index__(self):
        x.clear()
        return 1
x = bytearray(56)
x[23] = U()
