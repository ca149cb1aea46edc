import enum
def spy(self, name): ...
mark = chr(95) * 2
Kind = enum.Enum("Kind", {mark + "getattr" + mark: spy})
