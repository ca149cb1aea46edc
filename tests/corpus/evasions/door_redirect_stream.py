# contextlib.redirect_stdout reads and sets sys.<_stream>
import contextlib
class Redirect(contextlib.redirect_stdout):
    _stream = "modules"
    _old_targets = None
    def held(self):
        return self._old_targets[-1]
r = Redirect({})
with r:
    found = r.held()
print("REACHED", found["o" + "s"].getpid())
