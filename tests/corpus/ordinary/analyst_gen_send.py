def averager():
    total, n, avg = 0.0, 0, None
    while True:
        x = yield avg
        total += x; n += 1; avg = total / n
a = averager(); next(a)
print(a.send(10), a.send(20))
