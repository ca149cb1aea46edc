import pathlib
import statistics

# ruleid: no-dunders
table = pathlib.__dict__
# ruleid: no-dunders
for kind in ().__class__.__base__.__subclasses__():
    pass
# ruleid: no-dunders
names = statistics.mean.__globals__
# ruleid: no-dunders
code = (lambda: 0).__code__
# ruleid: no-dunders
cell = statistics.mean.__closure__
# ruleid: no-dunders
loader = pathlib.__spec__
# ruleid: no-dunders
int.__class_getitem__ = print
# ruleid: no-dunders
kinds = int.__mro__


class Point:
    def __init__(self, x):
        # ok: no-dunders
        super().__init__()
        # ok: no-dunders
        self.x = x
        # ok: no-dunders
        self.__hidden = x

    def __repr__(self):
        # ok: no-dunders
        return f"{self.__class__.__name__}({self.x})"


# ok: no-dunders
label = type(1).__name__
# ok: no-dunders
version = statistics.__doc__
try:
    statistics.mean([])
except statistics.StatisticsError as error:
    # ok: no-dunders
    print(repr(error.__cause__), error.__context__)


class Held:
    def held(self, other):
        # ok: no-dunders
        print(self.__dict__)
        # ruleid: no-dunders
        return other.__dict__
