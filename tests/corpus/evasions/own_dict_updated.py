class Options:
    def __init__(self, **given):
        self.__dict__.update(given)


print(Options(a=1).a)
