print(list(map("{0.__class__}".format, [1])))
