LINE = "{name:>10} | {value:8.2f}"
for name, value in [("a", 1.5), ("b", 22.25)]:
    print(LINE.format(name=name, value=value))
print("{0[key]} {1.real}".format({"key": 1}, 3))
