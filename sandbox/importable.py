"""What programs of an engine can import beside the standard library, without starting anything."""

from collections.abc import Iterable
from pathlib import Path

from .environment import find_environment
from .image_record import recorded_image
from .packages import missing_imports


def importable(engine: str, home: Path | None = None) -> list[str] | None:
    """Top-level modules of the engine of that name, as built last; None where nothing was built for it."""
    built = recorded_image(home) if engine.partition(":")[0] == "docker" else find_environment(home)
    return None if built is None else built.modules


def not_installed(allowed: Iterable[str], engine: str, home: Path | None = None) -> list[str]:
    """Imports that a policy allows and the engine's sandbox does not have, as the policy spells them; none where nothing
    was built, which the engine itself says."""
    modules = importable(engine, home)
    return [] if modules is None else missing_imports(allowed, modules)
