import functools, types
class Hold:
    def __exit__(self, kind, error, trace):
        self.box = types.SimpleNamespace()
        functools.update_wrapper(self.box, trace, assigned=("tb_" + "frame",), updated=())
        print("REACHED", self.box)
        return True
    def __enter__(self):
        return self
with Hold():
    1 / 0
