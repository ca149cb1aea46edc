class A(str):
    def fill(self, x):
        return self.format(x)
print(A(open("t.txt").read()).fill(1))
