T = ["{0}"]
def put(x):
    x.append("{0.mean.x}")
put(T)
print(T[1].format(1))
