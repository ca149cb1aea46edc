name = "__%s__" % "array_interface"
from types import SimpleNamespace
x = SimpleNamespace(**{name: 1})
