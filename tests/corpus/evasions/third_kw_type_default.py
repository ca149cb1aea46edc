def make(name, bases, members, kind=type):
    return kind(name, bases, members)
Row = make("Row", (object,), {"__array" + "_interface__": {"data": (4194304, False)}})
