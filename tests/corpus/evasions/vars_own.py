class A:
    pass
vars(A)["x"]
