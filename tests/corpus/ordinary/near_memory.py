import binascii
import gzip
import io
import operator
class Slot:
    """A place in a list."""
    def __init__(self, number):
        self.number = number
    def __index__(self):
        """The number."""
        return int(self.number)
print(["a", "b"][Slot(1)], operator.index(Slot(0)), bytearray(4)[Slot(2)])
packed = binascii.hexlify(gzip.compress(b"rows")).decode()
with gzip.GzipFile(fileobj=io.BytesIO(binascii.unhexlify(packed))) as file:
    print(file.read())
print(io.BufferedReader(io.BytesIO(b"abc")).read(2))
