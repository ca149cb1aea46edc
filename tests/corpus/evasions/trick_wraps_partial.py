import functools
w = functools.partial(functools.update_wrapper, assigned=("__self__",))
