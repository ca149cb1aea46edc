from contextlib import redirect_stderr as base
class R(base):
    def __init__(self, target):
        super().__init__(target)
        self._stream = "modules"
