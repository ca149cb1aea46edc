class A:
    def format(self, x):
        return x
    def fill(self, x):
        return self.format(x)
print(A.fill(open("t.txt").read(), 1))
