import functools
def f(): pass
class Box: pass
functools.wraps(f, updated=("__dict__",))(Box)
