def row(value, shape="{:>8}"):
    return shape.format(value)


print(row(1), row(row, "{0.__cl" + "ass__}"))
