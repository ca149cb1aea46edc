import json
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Job:
    name: str
    folder: Path = Path("jobs")
    tags: list = field(default_factory=list)

    @property
    def path(self):
        return self.folder / f"{self.name}.json"

    def save(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps({"name": self.name, "tags": self.tags}))

    @classmethod
    def load(cls, name):
        return cls(**json.loads((Path("jobs") / f"{name}.json").read_text()))


job = Job("first", tags=["a"])
job.save()
print(Job.load("first"), job.path.exists())
