def row(value, shape="{:>8}"):
    return shape.format(value)


print(row(1), row(2, "{:<8}"), row(row, open("shape.txt").read()))
