for n in range(3, 9):
    f = open(n, "wb", closefd=False)
