from functools import update_wrapper as up
options = {"assigned": ("__glo" + "bals__",)}
up(print, len, **options)
