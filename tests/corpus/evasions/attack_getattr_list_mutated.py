names = ["upper"]
names[0] = chr(95) * 2 + "class" + chr(95) * 2
for n in names:
    getattr("x", n)
