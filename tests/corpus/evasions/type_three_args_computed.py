ns = {"__re" + "duce__": lambda s: (print, ())}
T = type("T", (), ns)
