REPORT = """
Sales from {start} to {end}
Total: {total:>12,.2f}
"""


def report(days, amounts, layout=REPORT):
    return layout.format(start=days[0], end=days[-1], total=sum(amounts))


def labelled(values, label):
    return [label.format(value) for value in values]


def row(cells, *, shape="{:<10}{:>8}"):
    return shape.format(*cells)


print(report(["2024-01-01", "2024-01-31"], [10.5, 20]), labelled([1, 2], "week {0}"), labelled([3], "month {}"))
print(row(["pen", 12]), row(["book", 3], shape="{} x {}"))
