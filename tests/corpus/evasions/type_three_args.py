T = type("T", (), {"__getattr__": print})
