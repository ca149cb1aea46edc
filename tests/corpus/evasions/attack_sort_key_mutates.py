names = ["upper"]
sorted([1], key=lambda x: names.extend([chr(95) * 2 + "class" + chr(95) * 2]) or 1)
for n in names:
    getattr("x", n)
