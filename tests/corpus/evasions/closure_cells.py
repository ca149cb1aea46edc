def f():
    y = 1
    return lambda: y
f().__closure__[0].cell_contents
