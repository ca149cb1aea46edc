def go(cls, x):
    return cls.format(x)
print(go(open("t.txt").read(), 1))
