template = "{name:<10} {value:>8.2f}"
for name, value in [("a", 1.5), ("b", 2.25)]:
    print(template.format(name=name, value=value))
