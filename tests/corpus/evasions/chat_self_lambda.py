fill = lambda self, x: self.format(x)
print(fill(open("t.txt").read(), 1))
