from abc import ABC, abstractmethod
from typing import Iterator, Protocol, runtime_checkable


@runtime_checkable
class Source(Protocol):
    def rows(self) -> Iterator[dict]: ...


class Base(ABC):
    def __init__(self, name):
        self._name = name

    @property
    @abstractmethod
    def size(self): ...

    def describe(self):
        return f"{self._name}: {self.size} ({self._unit()})"

    def _unit(self):
        return "rows"


class Lines(Base):
    def __init__(self, name, text):
        super().__init__(name)
        self._lines = text.splitlines()

    @property
    def size(self):
        return len(self._lines)

    def rows(self):
        yield from ({"line": line} for line in self._lines)

    def _unit(self):
        return super()._unit() + "!"


lines = Lines("poem", "a\nb")
print(lines.describe(), isinstance(lines, Source), list(lines.rows()))
