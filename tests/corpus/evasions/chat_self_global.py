self = open("t.txt").read()
print(self.format(1))
