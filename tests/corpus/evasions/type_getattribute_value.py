g = type.__getattribute__
g(int, "mro")
