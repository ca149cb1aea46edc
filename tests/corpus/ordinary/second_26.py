price = {"a": 1.5}
table = "\n".join("| {} | {:>8.2f} |".format(k, v) for k, v in price.items())
print(table, "%-10s|%5d%%" % ("x", 3), "{:,}".format(10**6), "{!r:>5}".format("q"))
