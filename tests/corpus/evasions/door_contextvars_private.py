import pathlib
class Mine:
    def _rmtree(self): pass
import tempfile
t = tempfile.TemporaryDirectory()
t._rmtree("x" * 3)
print("REACHED")
