from abc import ABC
class View(ABC):
    if (__match_args__ := ("gi_" + "frame",)):
        pass
