def newton(f, df, x, eps=1e-10):
    n = 0
    while True:
        n += 1
        step = f(x) / df(x)
        x -= step
        if abs(step) < eps or n > 100:
            break
    return x
print(newton(lambda x: x * x - 2, lambda x: 2 * x, 1.0))
