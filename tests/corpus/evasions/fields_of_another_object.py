import json
from dataclasses import dataclass, fields


@dataclass
class Names:
    codecs: int = 0


print([getattr(json, part.name) for part in fields(Names)])
