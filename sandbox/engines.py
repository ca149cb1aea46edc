"""Engines by name. Each is imported only when it is asked for."""

from pathlib import Path

from .engine import Engine
from .errors import BadRequest

KNOWN = ("docker", "docker:RUNTIME", "bubblewrap", "landlock")


def engine_named(name: str, *, home: Path | None = None) -> Engine:
    """The engine of that name: `docker`, `docker:runsc` (any OCI runtime after the colon), `bubblewrap`, `landlock`.

    `home`: the data folder that holds the environment and the image's record. Raises BadRequest for an unknown name.
    """
    kind, _, runtime = name.partition(":")
    if kind == "docker":
        from .docker import DockerEngine

        return DockerEngine(runtime=runtime or None, home=home)
    if name == "bubblewrap":
        from .bubblewrap import BubblewrapEngine

        return BubblewrapEngine(home=home)
    if name == "landlock":
        from .landlock import LandlockEngine

        return LandlockEngine(home=home)
    raise BadRequest(f"no such engine: {name!r}; there are {', '.join(KNOWN)}")
