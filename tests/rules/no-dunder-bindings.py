# ruleid: no-dunder-bindings
import json as __builtins__

# ruleid: no-dunder-bindings
from json import loads as __import__


# ruleid: no-dunder-bindings
class __loader__:
    pass


# ruleid: no-dunder-bindings
def read(__builtins__):
    return 1


# ruleid: no-dunder-bindings
def write(*__import__):
    return 1


# ruleid: no-dunder-bindings
def send(**__import__):
    return 1


# ruleid: no-dunder-bindings
f = lambda a, __builtins__: a
# ruleid: no-dunder-bindings
try:
    print(1)
except ValueError as __builtins__:
    pass


# ok: no-dunder-bindings
class Row:
    # ok: no-dunder-bindings
    def __init__(self, _private, name=__name__):
        self.name = name

    # ok: no-dunder-bindings
    def __exit__(self, *args):
        return False


# ok: no-dunder-bindings
import json as js
