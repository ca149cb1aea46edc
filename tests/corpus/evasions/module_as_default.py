import tempfile
def make(lib=tempfile):
    return lib._os.listdir()
make()
