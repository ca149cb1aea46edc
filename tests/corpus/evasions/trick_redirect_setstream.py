import contextlib
class Swap(contextlib.redirect_stdin if False else contextlib.redirect_stdout):
    _stream: str = "path_hooks"
