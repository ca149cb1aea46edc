def f(a=1):
    pass
f.__globals__["x"]
