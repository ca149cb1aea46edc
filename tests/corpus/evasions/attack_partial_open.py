import functools
functools.partial(open, "/srv/rows.txt")()
