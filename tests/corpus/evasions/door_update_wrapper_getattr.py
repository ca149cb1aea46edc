# functools.update_wrapper copies attributes by names from data; dataclasses.replace reads them back
import functools, dataclasses
mark = "_" * 2
name = mark + "globals" + mark
got = {}
@dataclasses.dataclass
class Base: pass
Box = dataclasses.make_dataclass("Box", [(name, object, None)])
class Taker(Box):
    def __init__(self, **values):
        got.update(values)
def f(): pass
box = Taker()
functools.update_wrapper(box, f, assigned=(name,), updated=())
dataclasses.replace(box)
inside = got[name][mark + "builtins" + mark]
functools.update_wrapper(box, inside, assigned=("eval",), updated=())
print("REACHED", box.eval if False else got)
