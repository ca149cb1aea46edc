import statistics
try:
    try:
        statistics.nothing
    except AttributeError as e:
        raise ValueError("x") from e
except ValueError as e:
    cause = e.__cause__
    print(cause.args, cause.name, cause.obj)
