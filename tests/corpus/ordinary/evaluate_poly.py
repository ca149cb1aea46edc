class Poly:
    def __init__(self, *c):
        self.c = c
    def eval(self, x):
        return sum(a * x**i for i, a in enumerate(self.c))
p = Poly(1, 2, 3)
print(p.eval(2))
