d = {}
del d[exec("1")]
