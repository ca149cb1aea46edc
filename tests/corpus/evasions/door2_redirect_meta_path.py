import contextlib
class Redirect(contextlib.redirect_stdout):
    _stream = "path"
    _old_targets = None
Redirect(["."]).__enter__()
print("REACHED: sys.path is the working folder now")
open("helper.txt", "w").write("x")
