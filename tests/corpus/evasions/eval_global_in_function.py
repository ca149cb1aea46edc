def f():
    global eval
    return eval("1")
f()
