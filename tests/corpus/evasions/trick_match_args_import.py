from abc import ABC
class View(ABC):
    from string import ascii_letters as __match_args__
