"""The Python that bubblewrap and Landlock sandboxes run: a venv of the running interpreter with pinned wheels.

Made once per lock and Python version in the user's data folder, under a name that is the digest of both; sandboxes
see it read-only. An environment is complete or absent: it is built beside its place and renamed into it.
"""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from .errors import SandboxError
from .packages import (
    Progress,
    data_folder,
    import_names,
    installed,
    python_minor,
    silent,
)
from .wanted import Wanted, install_wanted, read_wanted

_RECORD = "environment.json"
_FONTS_S = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A built environment."""

    python: Path
    """The venv's interpreter, `…/bin/python3`."""
    site_packages: Path
    digest: str
    """`sha256:…` over the requirements, the Python minor version and the machine."""
    packages: dict[str, str]
    """Distribution name to version."""
    modules: list[str]
    """Top-level names that `import` finds beside the standard library."""


def environment_path(requirements: Path | None = None, home: Path | None = None) -> Path:
    """Where the environment for the shipped packages, extended by these requirements, lies or would lie."""
    return _folder(home) / _digest(read_wanted(requirements).content).removeprefix("sha256:")[:24]


def find_environment(home: Path | None = None) -> Environment | None:
    """The environment that sandboxes use: the one an operator built last from requirements of their own, else that
    of the shipped lock. None where it is not built, or where the interpreter it was made from is gone."""
    chosen = _folder(home) / f"chosen-{python_minor()}"
    try:
        return _load(_folder(home) / chosen.read_text("ascii").strip())
    except FileNotFoundError:
        return _load(environment_path(None, home))


def build_environment(
    requirements: Path | None = None, *, home: Path | None = None, progress: Progress = silent, choose: bool = True
) -> Environment:
    """Make the environment, or return the one that is there; with `choose`, sandboxes use this one from now on.

    `requirements`: an operator's file, whose packages come on top of the shipped ones. Two builders of the same one
    wait for each other. Raises SandboxError (index not reachable, changed bytes, disk) and BadRequest (no such file, no
    lock for this Python); a failed build leaves nothing behind.
    """
    wanted = read_wanted(requirements)
    path = environment_path(requirements, home)
    try:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        with _locked(path.with_suffix(".lock")):
            environment = _load(path)
            if environment is None:
                environment = _make(path, wanted, progress)
            _list_fonts(environment, progress)
            if choose:
                _choose(path, custom=wanted.own is not None)
    except OSError as error:
        raise SandboxError(f"cannot make the sandbox's environment {path}: {error}") from error
    return environment


def _make(path: Path, wanted: Wanted, progress: Progress) -> Environment:
    for stale in path.parent.glob(f"{path.name}.build-*"):  # of a builder that was killed: the lock is ours
        shutil.rmtree(stale, ignore_errors=True)
    shutil.rmtree(path, ignore_errors=True)
    building = Path(tempfile.mkdtemp(prefix=f"{path.name}.build-", dir=path.parent))
    try:
        progress(f"making a Python {python_minor()} environment in {path}")
        building.chmod(0o755)
        venv.EnvBuilder(symlinks=True, with_pip=False).create(building)
        site = _site_packages(building)
        install_wanted(wanted, site, progress=progress)
        record = {"digest": _digest(wanted.content), "python": platform.python_version(),
                  "packages": installed(site), "modules": import_names(site)}
        (building / _RECORD).write_text(json.dumps(record, indent=1), "utf-8")
        building.rename(path)
    except BaseException:  # Ctrl-C included: half an environment must not stay
        shutil.rmtree(building, ignore_errors=True)
        raise
    environment = _load(path)
    if environment is None:
        raise SandboxError(f"the environment {path} was built, but its interpreter does not resolve; "
                           f"is {sys.base_prefix} complete?")
    return environment


def _list_fonts(environment: Environment, progress: Progress) -> None:
    """Prepare matplotlib's list of fonts, where there is none yet. Without it plots work, a second later."""
    data = environment.site_packages / "matplotlib" / "mpl-data"
    if not data.is_dir() or any(data.glob("fontlist-v*.json")):
        return
    progress("listing matplotlib's fonts")
    argv = [str(environment.python), "-I", "-B", "-c",
            resources.files(__package__).joinpath("font_cache.py").read_text("utf-8"), "own"]
    try:
        done = subprocess.run(argv, env={}, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                              timeout=_FONTS_S, check=False)
    except subprocess.TimeoutExpired:
        progress(f"matplotlib's fonts were not listed within {_FONTS_S:.0f} s: each sandbox will do it")
        return
    if done.returncode != 0:
        progress(f"matplotlib's fonts could not be listed ({done.stderr.strip()[-200:]}): each sandbox will do it")


def _load(path: Path) -> Environment | None:
    try:
        record = json.loads((path / _RECORD).read_text("utf-8"))
        python = path / "bin" / "python3"
        python.resolve(strict=True)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise SandboxError(f"{path / _RECORD} is damaged ({error}): remove {path} and build again "
                           "with `fumehood sandbox build`") from error
    return Environment(python=python, site_packages=_site_packages(path), digest=record["digest"],
                       packages=record["packages"], modules=record["modules"])


def _choose(path: Path, *, custom: bool) -> None:
    chosen = path.parent / f"chosen-{python_minor()}"
    if not custom:
        chosen.unlink(missing_ok=True)
        return
    written = chosen.with_suffix(f".{os.getpid()}")
    written.write_text(path.name, "ascii")
    written.replace(chosen)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One builder at a time; the kernel lets go of the lock when its holder dies."""
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _digest(requirements: bytes) -> str:
    identity = f"\n{sys.implementation.name} {python_minor()} {platform.machine()}".encode()
    return f"sha256:{hashlib.sha256(requirements + identity).hexdigest()}"


def _folder(home: Path | None) -> Path:
    return data_folder(home) / "environments"


def _site_packages(prefix: Path) -> Path:
    return prefix / "lib" / f"python{python_minor()}" / "site-packages"
