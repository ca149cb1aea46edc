from functools import singledispatch
@singledispatch
def f(x):
    return 1
@f.register
def g(x: "eval('print(1)')"):
    return 2
