vars = 1
try:
    raise ValueError
except ValueError as vars:
    pass
kind = type
print(vars(kind))
