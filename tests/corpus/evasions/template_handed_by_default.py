def row(value, shape="{:>8}"):
    return shape.format(value)


row.__defaults__ = (open("shape.txt").read(),)
print(row(1))
