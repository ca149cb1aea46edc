"""Which sandbox image to use: its labels say what is in it, a record in the data folder says which one was built."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .errors import SandboxError
from .packages import data_folder, python_minor

BUILD_COMMAND = "fumehood sandbox build"
LABEL_PYTHON = "fumehood.python-version"
LABEL_EXECUTABLE = "fumehood.python"
LABEL_REQUIREMENTS = "fumehood.requirements"
LABEL_PACKAGES = "fumehood.packages"
LABEL_MODULES = "fumehood.modules"
LABEL_BASE = "fumehood.base"


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A sandbox image on a daemon."""

    id: str
    """`sha256:…` of its configuration, which pins all layers; containers are made from this, never from a tag."""
    python: str
    """Full version of its Python, `3.11.2`."""
    executable: str
    """Absolute path of its Python."""
    packages: dict[str, str]
    modules: list[str]
    """Top-level names that `import` finds beside the standard library."""
    requirements: str | None
    """`sha256:…` of the requirements put into it; None where an operator's image was taken as it was."""
    base: str
    """What it was built on: an image by digest, or a Debian suite."""

    def unusable(self) -> str | None:
        """Why programs judged by the gate of this Python must not run in it, or None."""
        minor = ".".join(self.python.split(".")[:2])
        if minor == python_minor():
            return None
        return (f"its Python is {self.python}, the gate's is {python_minor()}; both must share the minor version. "
                f"Run fumehood with Python {minor}, or build an image for {python_minor()}: `{BUILD_COMMAND}`")

    def labels(self) -> dict[str, str]:
        return {
            LABEL_PYTHON: self.python, LABEL_EXECUTABLE: self.executable, LABEL_REQUIREMENTS: self.requirements or "",
            LABEL_PACKAGES: json.dumps(self.packages), LABEL_MODULES: json.dumps(self.modules), LABEL_BASE: self.base,
        }


def from_inspect(inspected: dict[str, Any]) -> Image | None:
    """The image behind what the daemon says of it; None where it was not made by `fumehood sandbox build`."""
    labels = inspected["Config"].get("Labels") or {}
    if not {LABEL_PYTHON, LABEL_EXECUTABLE, LABEL_PACKAGES, LABEL_MODULES} <= set(labels):
        return None
    return Image(
        id=inspected["Id"], python=labels[LABEL_PYTHON], executable=labels[LABEL_EXECUTABLE],
        packages=json.loads(labels[LABEL_PACKAGES]), modules=json.loads(labels[LABEL_MODULES]),
        requirements=labels.get(LABEL_REQUIREMENTS) or None, base=labels.get(LABEL_BASE, ""),
    )


def record_image(image: Image, home: Path | None = None) -> None:
    """From now on the Docker engine uses this image."""
    path = _record(home)
    try:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        written = path.with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps(asdict(image), indent=1), "utf-8")
        written.replace(path)
    except OSError as error:
        raise SandboxError(f"cannot record the built image in {path}: {error.strerror}") from error


def recorded_image(home: Path | None = None) -> Image | None:
    """The image that was built last for the running Python; None before the first build."""
    path = _record(home)
    try:
        return Image(**json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise SandboxError(f"cannot read the record of the built image, {path} ({error}): remove it and build again "
                           f"with `{BUILD_COMMAND}`") from error


def _record(home: Path | None) -> Path:
    return data_folder(home) / f"image-{python_minor()}.json"
