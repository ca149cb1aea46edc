class A:
    @staticmethod
    def fill(self, x):
        return self.format(x)
print(A.fill(open("t.txt").read(), 1))
