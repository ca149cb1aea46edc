f = lambda s, e=eval: e(s)
f("1")
