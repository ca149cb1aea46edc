try:
    1 / 0
except exec("print(1)"):
    pass
