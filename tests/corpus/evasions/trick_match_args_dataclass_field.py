from abc import ABC
from dataclasses import dataclass
@dataclass
class View(ABC):
    gi_frame: object
def g():
    yield
View.register(type(g()))
match g():
    case View(frame):
        print(frame)
