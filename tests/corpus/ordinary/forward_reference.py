from __future__ import annotations
from dataclasses import dataclass, field
from typing import Optional, List, Literal
@dataclass
class Tree:
    value: int
    left: Optional["Tree"] = None
    kids: List["Tree"] = field(default_factory=list)
    mode: Literal["a b", "fast (default)"] = "a b"
    def walk(self) -> "list[Tree]":
        return [self, *(self.left.walk() if self.left else [])]
print(len(Tree(1, Tree(2)).walk()))
