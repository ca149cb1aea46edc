def maker():
    return type
Row = maker()("Row", (object,), {"__array" + "_interface__": {"data": (4194304, False)}})
