import io
class B(io.RawIOBase):
    def write(self, b):
        self.kept = b
        return len(b)
    def writable(self):
        return True
w = io.BufferedWriter(B(), 64)
w.write(b"a" * 100)
