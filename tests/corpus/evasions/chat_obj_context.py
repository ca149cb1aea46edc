import statistics
try:
    try:
        statistics.nothing
    except AttributeError:
        raise ValueError("x")
except ValueError as e:
    print(e.__context__.obj)
