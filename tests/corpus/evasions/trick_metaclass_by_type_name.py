import collections.abc
Meta = type(collections.abc.Sized)
mark = chr(95) * 2
C = Meta("C", (), {mark + "getattr" + mark: print})
