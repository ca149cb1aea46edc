class K(str):
    pass
K("{0.__class__}").format(1)
