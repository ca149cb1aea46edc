def opener(path, flags): return 1
open("x", "w", -1, None, None, None, True, opener)
