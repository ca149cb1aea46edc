from types import SimpleNamespace
x = SimpleNamespace(**{"array_interface".center(19, "_"): 1})
