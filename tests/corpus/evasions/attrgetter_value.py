import operator
f = [operator.attrgetter]
f[0]("a")
