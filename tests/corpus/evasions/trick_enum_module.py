import enum
Kind = enum.IntEnum("Kind", ["open"], module="builtins")
