class Twice:
    def __rmul__(self, other):
        return open("template.txt").read()


line = "{:>5}" * Twice()
print(line.format(Twice()))
