import tempfile
class Mine:
    def _rmtree(self, name): ...
class Folder(tempfile.TemporaryDirectory):
    def gone(self, name):
        self._rmtree(name)
