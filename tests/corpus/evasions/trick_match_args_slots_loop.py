from abc import ABC
names = [chr(95) * 2 + "globals" + chr(95) * 2]
class View(ABC):
    for __match_args__ in [tuple(names)]:
        pass
View.register(type(lambda: 0))
match (lambda: 0):
    case View(space):
        print("REACHED", space)
