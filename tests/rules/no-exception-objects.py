import statistics

try:
    "{0.mean.no_such_name}".format(statistics)
except AttributeError as exc:
    # ruleid: no-exception-objects
    exc.obj.modules["os"].system("x")
except (NameError, KeyError) as problem:
    # ruleid: no-exception-objects
    thing = problem.obj

try:
    print(1)
except ValueError as exc:
    # ok: no-exception-objects
    print(str(exc))

row = statistics
# ok: no-exception-objects
print(row.obj)
