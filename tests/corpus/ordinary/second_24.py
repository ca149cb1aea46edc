from typing import Any, Iterator, Union
from abc import ABC, abstractmethod
class Source(ABC):
    @abstractmethod
    def read(self) -> Iterator[dict[str, Any]]: ...
class Memory(Source):
    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
    def read(self) -> "Iterator[dict[str, Any]]":
        yield from self.rows
def pick(x: Union[int, "str"], y: "int | None" = None) -> "str":
    return str(x or y)
print(list(Memory([{"a": 1}]).read()), pick(3))
