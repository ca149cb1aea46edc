help = 1
try:
    raise ValueError
except ValueError as help:
    pass
h = help
h("modules")
