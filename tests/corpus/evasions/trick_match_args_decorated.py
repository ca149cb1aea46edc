from abc import ABC
def fields(function):
    return ("f_" + "back",)
class View(ABC):
    @fields
    def __match_args__(self): ...
