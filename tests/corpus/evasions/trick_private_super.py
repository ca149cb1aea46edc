import tempfile
class Folder(tempfile.TemporaryDirectory):
    def gone(self, name):
        super()._rmtree(name)
