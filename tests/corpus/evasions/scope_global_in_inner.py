def outer(eval=None):
    def inner():
        global eval
        return eval
    return inner()
f = outer()
f("1")
