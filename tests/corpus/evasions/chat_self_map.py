class A:
    def fill(self):
        return self.format(1)
print(list(map(A.fill, [open("t.txt").read()])))
