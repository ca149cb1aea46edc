T = ["{0}"]
for x in [T]:
    x[0] = "{0." + "x" + "}" + chr(95)
print(T[0].format(1))
