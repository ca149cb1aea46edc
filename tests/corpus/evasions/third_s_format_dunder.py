name = "__{}__".format("array_interface")
from types import SimpleNamespace
x = SimpleNamespace(**{name: 1})
