# singledispatch.register evaluates text annotations that were put there later
import functools
@functools.singledispatch
def f(x): pass
def g(x: int): pass
g.__annotations__["x"] = "".join(["print('REACHED', __imp", "ort__('os').getpid()) or int"])
f.register(g)
