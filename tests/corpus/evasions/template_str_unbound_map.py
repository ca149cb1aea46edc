print(list(map(str.format, ["{0.__class__}"], [1])))
