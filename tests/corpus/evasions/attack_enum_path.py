from enum import Enum
class Where(Enum):
    A = "/srv/rows.txt"
open(Where.A.value)
