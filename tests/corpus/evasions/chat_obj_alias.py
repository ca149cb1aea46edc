import statistics
try:
    statistics.nothing
except AttributeError as exc:
    err = exc
    thing = err.obj
    print(thing.fmean)
