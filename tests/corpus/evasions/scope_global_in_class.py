def outer(eval=None):
    class Row:
        global eval
        value = eval
    return Row.value
outer()("1")
