from abc import ABC
class Trace(ABC):
    __match_args__ = ("tb_frame",)
class Frame(ABC):
    __match_args__ = ("f_back", "f_globals")
class Hold:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        Trace.register(type(trace))
        match trace:
            case Trace(frame):
                Frame.register(type(frame))
                match frame:
                    case Frame(back, names):
                        match back:
                            case Frame(above, runner):
                                print("REACHED the runner's frame", sorted(runner)[:6])
        return True
with Hold():
    1 / 0
