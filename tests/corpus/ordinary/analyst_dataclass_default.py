from dataclasses import dataclass, field, asdict
from typing import Optional, List
@dataclass
class Item:
    name: str
    price: float
    tags: List[str] = field(default_factory=list)
    parent: Optional["Item"] = None
print([asdict(Item("a", 1.5))])
