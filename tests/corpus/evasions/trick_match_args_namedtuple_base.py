from abc import ABC
from collections import namedtuple
class View(namedtuple("V", ["tb_" + "frame"]), ABC):
    pass
try:
    1 / 0
except ZeroDivisionError as error:
    trace = error
match trace:
    case View(frame):
        print(frame)
