@(lambda f: exec)
def go():
    pass
go("print(1)")
