import enum
class E(enum.Enum):
    A = enum.sys
