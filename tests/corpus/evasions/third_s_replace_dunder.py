from types import SimpleNamespace
x = SimpleNamespace(**{"xxarray_interfacexx".replace("xx", "__"): 1})
