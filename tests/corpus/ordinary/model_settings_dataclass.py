from dataclasses import asdict, dataclass, field, fields, replace
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class Settings:
    name: str = "report"
    columns: list[str] = field(default_factory=list)
    limit: int = 10
    VERSION: ClassVar[int] = 2

    def __post_init__(self):
        if self.limit < 1:
            raise ValueError("limit must be positive")


base = Settings(columns=["a"])
wider = replace(base, limit=20)
print(asdict(wider), [f.name for f in fields(base)], base == Settings(columns=["a"]), Settings.VERSION)
for name, kind in Settings.__annotations__.items():
    print(name, kind)
