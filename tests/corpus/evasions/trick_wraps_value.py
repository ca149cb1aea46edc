import functools
copy = [functools.update_wrapper]
copy[0](print, len, ("__self__",), ())
