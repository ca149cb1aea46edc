"""`sandbox build`: the image, the bubblewrap environment, or both."""

import sys
from pathlib import Path
from typing import Any

from .config import read_environment
from .exits import WRONG_USE, explained, fail, print_json


def build_sandbox(*, engine: str | None, requirements: Path | None, from_image: str | None, as_json: bool) -> None:
    """Make what is asked for; without --engine the environment always, and the image where a daemon answers."""
    if engine not in (None, "docker", "bubblewrap"):
        fail(f"--engine is docker or bubblewrap here, not {engine!r}", WRONG_USE, as_json=as_json)
    if from_image and engine == "bubblewrap":
        fail("--from names an image; it is for --engine docker", WRONG_USE, as_json=as_json)
    made: dict[str, Any] = {}

    def progress(text: str) -> None:
        if not as_json:
            print(text, file=sys.stderr)

    with explained(as_json=as_json):
        from ..policies.reading import read_text
        from ..sandbox.wanted import beyond_shipped

        if requirements is not None:
            read_text(requirements)

        home = read_environment().home_path
        if engine in (None, "bubblewrap") and not from_image:
            from ..sandbox.environment import build_environment

            environment = build_environment(requirements, home=home, progress=progress)
            made["bubblewrap"] = {"id": environment.digest, "python": str(environment.python),
                                  "packages": environment.packages,
                                  "beyond_shipped": beyond_shipped(environment.packages)}
        if engine == "docker" or from_image or (engine is None and _daemon_answers()):
            from ..sandbox.image import build_image

            image = build_image(requirements, base=from_image, home=home, progress=progress)
            made["docker"] = {"id": image.id, "python": image.python, "base": image.base, "packages": image.packages,
                              "beyond_shipped": "" if from_image else beyond_shipped(image.packages)}
    if as_json:
        print_json(made)
    else:
        for name, facts in made.items():
            print(f"{name}: ready ({facts['id']})")
            if facts["beyond_shipped"]:
                print(f"  {facts['beyond_shipped']}\n  back to the shipped packages alone: fumehood sandbox build")
        if requirements is not None:
            print("The policy must allow what was added, too: [add] imports in a profile of your own.")


def _daemon_answers() -> bool:
    from ..sandbox.daemon import Daemon

    return Daemon().unreachable() is None
