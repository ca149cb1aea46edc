g = getattr
g([], "append")
