def row(value, shape="{:>8}"):
    return shape.format(value)


print(row(1), list(map(row, [1], open("shapes.txt"))))
