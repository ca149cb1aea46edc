# enum.global_enum writes members into any module: here open of the builtins
import enum
Kind = enum.Enum("Kind", {"open": 1, "sorted": 2}, module="builtins")
enum.global_enum(Kind)
print("REACHED", sorted)
