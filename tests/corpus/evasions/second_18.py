class A:
    def __class_getitem__(cls, x):
        return eval(x)
A["1"]
