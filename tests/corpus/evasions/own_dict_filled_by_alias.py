class Options:
    def __init__(self, **given):
        held = self.__dict__
        for name in given:
            held[name] = given[name]


print(Options(a=1).a)
