try:
    raise ExceptionGroup("g", [ValueError("a"), TypeError("b")])
except* ValueError as eg:
    print(len(eg.exceptions))
except* TypeError as eg:
    print("t")
