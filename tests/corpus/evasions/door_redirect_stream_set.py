# the same sets sys.meta_path, sys.excepthook, sys.path …
import contextlib
class Redirect(contextlib.redirect_stdout):
    _stream = "excepthook"
def caught(kind, error, trace):
    print("REACHED", kind, trace)
with Redirect(caught):
    pass
Redirect(caught).__enter__()
raise ValueError("x")
