class U:
    @property
    def p(self):
        x.clear()
        return 1
    def __index__(self):
        return self.p
x = bytearray(9)
x[1] = U()
