class A:
    def fill(self, x):
        def go(self):
            return self.format(x)
        return go(open("t.txt").read())
print(A().fill(1))
