import statistics
get = AttributeError.obj
try:
    statistics.nothing
except AttributeError as e:
    print(get.__get__(e))
