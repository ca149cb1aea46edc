import functools
def kind():
    return "print(1)"
@functools.singledispatch
def f(x): ...
@f.register
def _(x: kind()): ...
