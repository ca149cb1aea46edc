import statistics
try:
    raise ExceptionGroup("x", [AttributeError("n", name="n", obj=statistics)])
except* AttributeError as g:
    for e in g.exceptions:
        print(e.obj)
