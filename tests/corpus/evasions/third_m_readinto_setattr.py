import io
class R(io.RawIOBase):
    pass
def into(self, b):
    return 0
R.readinto = into
