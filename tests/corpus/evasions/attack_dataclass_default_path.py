from dataclasses import dataclass
@dataclass
class Job:
    path: str = "/srv/rows.txt"
open(Job().path)
