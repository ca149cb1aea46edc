def fill(self, x):
    return self.format(x)
print(fill(open("t.txt").read(), 1))
