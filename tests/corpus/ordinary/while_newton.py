x = 2.0
while True:
    nxt = 0.5 * (x + 2 / x)
    if abs(nxt - x) < 1e-12:
        break
    x = nxt
print(round(x, 6))
