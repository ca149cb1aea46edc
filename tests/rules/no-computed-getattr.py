import pathlib
from functools import reduce

name = "".join(map(chr, (111, 115)))
# ruleid: no-computed-getattr
module = getattr(pathlib, name)
# ruleid: no-computed-getattr
reduce(getattr, ["os", "system"], pathlib)
# ruleid: no-computed-getattr
found = [getattr(pathlib, wanted) for wanted in dir(pathlib)]
# ruleid: no-computed-getattr
reach = getattr
# ruleid: no-computed-getattr
getattr(*[pathlib, "Path"])
# ruleid: no-computed-getattr
here = hasattr(pathlib, name.lower())
# ruleid: no-computed-getattr
inner = getattr(getattr(pathlib, name), "Path")
# ruleid: no-computed-getattr
outer = getattr(reduce(getattr, ["Path"], pathlib), "name")


# ruleid: no-computed-getattr
def look(thing, field, how=getattr):
    return how(thing, field)


# ok: no-computed-getattr
path = getattr(pathlib, "Path")
# ok: no-computed-getattr
size = getattr(pathlib, "size", None)
# ok: no-computed-getattr
known = hasattr(pathlib, "PurePath")
# ok: no-computed-getattr
method = {"mean": min, "sum": max}["mean"]
for word in ("mean", "median"):
    # ok: no-computed-getattr
    print(getattr(pathlib, word))
for label, word in [("Mean", "mean"), ("Max", "max")]:
    # ok: no-computed-getattr
    print(label, getattr(pathlib, word)())
# ok: no-computed-getattr
found = {word: getattr(pathlib, word) for word in ["Path", "PurePath"]}
for word in ("mean", "median"):
    # ruleid: no-computed-getattr
    print(getattr(pathlib, word + name))
for word in dir(pathlib):
    # ruleid: no-computed-getattr
    print(getattr(pathlib, word))


class Steps:
    def run(self, word):
        # ok: no-computed-getattr
        print(getattr(self, f"do_{word}"), hasattr(self, f"do_{word}"))
        # ok: no-computed-getattr
        print({part.name: getattr(self, part.name) for part in fields(self)})
        # ruleid: no-computed-getattr
        return getattr(self.held, word)


words = ("Path", "PurePath")
for word in words:
    # ok: no-computed-getattr
    print(getattr(pathlib, word))
table = {"a": "Path"}
for label, word in table.items():
    # ok: no-computed-getattr
    print(getattr(pathlib, word))
read = open("names.txt").read().split()
for word in read:
    # ruleid: no-computed-getattr
    print(getattr(pathlib, word))
