from abc import ABC
base = "cell_" + "contents"
class Names:
    __match_args__: tuple = (base,)
class View(Names, ABC):
    pass
match 1:
    case View(x):
        print(x)
