def f():
    pass
f.__code__ = f.__code__.replace(co_consts=())
