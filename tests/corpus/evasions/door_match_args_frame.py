from abc import ABC
def g():
    yield 1
class Running(ABC):
    __match_args__ = ("gi_frame",)
class Frame(ABC):
    __match_args__ = ("f_builtins",)
gen = g()
Running.register(type(gen))
match gen:
    case Running(frame):
        Frame.register(type(frame))
        match frame:
            case Frame(names):
                print("REACHED", names["ev" + "al"]("1+1"))
