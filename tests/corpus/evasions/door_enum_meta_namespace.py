import enum, typing
mark = "_" * 2
def spy(self, name):
    print("REACHED hook", name)
Flag = typing.NamedTupleMeta("X", (typing._NamedTuple,), {mark + "getattr" + mark: spy}) if False else None
import collections.abc
C = type(collections.abc.Sized)("C", (), {mark + "getattr" + mark: spy})
C().anything
