# __match_args__ + ABC.register: a positional class pattern is getattr by any name
from abc import ABC
mark = "_" * 2
def f(): pass
class View(ABC):
    __match_args__ = (mark + "globals" + mark,)
class Inner(ABC):
    __match_args__ = ("eval",)
View.register(type(f))
match f:
    case View(space):
        inside = space[mark + "builtins" + mark]
Inner.register(type(inside))
match inside:
    case Inner(run):
        print("REACHED", run("__imp" + "ort__('o'+'s').getpid()"))
