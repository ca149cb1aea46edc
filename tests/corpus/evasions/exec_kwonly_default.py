def f(*, a=exec("1")):
    pass
