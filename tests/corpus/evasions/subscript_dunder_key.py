d = {}
d["__builtins__"]
