"""What an endpoint turned out to take: learned from its refusals, kept beside the runs, forgotten after a week."""

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

Structured = Literal["json_schema", "tool", "json_object", "text"]
_ORDER: tuple[Structured, ...] = ("json_schema", "tool", "json_object", "text")
_KEPT_S = 7 * 24 * 3600
"""A server's next version may take more, so that what was learned is tried again after a while."""


class Habits(BaseModel):
    """How to speak to one model on one server."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    structured: Structured = "json_schema"
    """How a structured reply is asked for."""
    code: Literal["text", "tool"] = "text"
    """Programs come as text, or by a call of the tool `run_python`."""
    system_role: bool = True
    """False: the rules stand at the head of the first user turn."""
    stream_options: bool = True
    """Whether token counts can be asked for in a stream."""
    extras: bool = True
    """Whether temperature and a bound of the reply's length are taken."""
    learned: float = 0.0
    """Unix time of the last change."""

    def weaker(self) -> "Habits | None":
        """The same with the next way to ask for structure; null after the last."""
        place = _ORDER.index(self.structured)
        return self.model_copy(update={"structured": _ORDER[place + 1]}) if place + 1 < len(_ORDER) else None


class HabitBook:
    """Habits by endpoint in one small file. A file that cannot be read or written costs a few refusals, never a run."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, key: str) -> Habits:
        try:
            found = Habits.model_validate(self._all().get(key, {}))
        except ValidationError:
            return Habits()
        return found if time.time() - found.learned < _KEPT_S else Habits()

    def put(self, key: str, habits: Habits) -> None:
        entries = self._all()
        entries[key] = habits.model_copy(update={"learned": time.time()}).model_dump()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=".endpoints.")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(entries, file, indent=1, sort_keys=True)
            Path(name).replace(self._path)
        except OSError:
            return

    def _all(self) -> dict[str, object]:
        try:
            entries = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return entries if isinstance(entries, dict) else {}
