import functools
@functools.partial(lambda f, g: g("1"), g=eval)
def h():
    pass
