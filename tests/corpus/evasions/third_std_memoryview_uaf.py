import io
class B(io.RawIOBase):
    def readinto(self, b):
        global v
        v = b
    def readable(self):
        return True
f = io.BufferedReader(B())
f.read(1)
del f
print(v[0])
