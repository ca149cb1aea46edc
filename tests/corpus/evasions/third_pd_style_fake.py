from types import SimpleNamespace
box = SimpleNamespace(style="{0.real.denominator}")
print(box.style.format(3))
