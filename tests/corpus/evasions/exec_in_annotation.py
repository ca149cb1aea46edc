def f(x: exec("print(1)")):
    return x
