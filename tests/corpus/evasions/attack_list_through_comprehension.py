names = ["upper"]
[names.append(chr(95) * 2 + "class" + chr(95) * 2) for _ in (1,)]
for n in names:
    getattr("x", n)
