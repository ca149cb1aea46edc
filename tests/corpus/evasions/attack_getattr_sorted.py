names = ["upper"]
names += [chr(95) * 2 + "class" + chr(95) * 2]
for i, n in enumerate(names):
    getattr("x", n)
