print("{a.__init__.__globals__}".format_map({"a": 1}))
