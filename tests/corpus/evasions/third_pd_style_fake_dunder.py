from types import SimpleNamespace
template = open("template.txt").read()
box = SimpleNamespace(style=template)
print(box.style.format(print))
