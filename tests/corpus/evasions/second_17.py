def f(*, m=__import__):
    return m("os")
