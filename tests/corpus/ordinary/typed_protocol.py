from typing import Protocol, TypeVar, Generic, NamedTuple, TypedDict, Callable, cast
T = TypeVar("T")
class Row(TypedDict):
    name: str
    n: int
class Pair(NamedTuple):
    a: int
    b: str = "x"
class Box(Generic[T]):
    def __init__(self, v: T) -> None:
        self.v = v
    def map(self, f: Callable[[T], T]) -> "Box[T]":
        return Box(f(self.v))
print(Pair(1), cast("int", Box(2).map(lambda x: x + 1).v))
