"""What a Python needs of the host's file system, and nothing more: binary, standard library, wheels, shared libraries.

The shared libraries are the closure that the dynamic loader itself resolves (`ldd`) over the interpreter and every
extension module. Asking takes seconds, so the answer is kept per environment, in memory and in a file beside it.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .environment import Environment
from .errors import EngineUnavailable

_LIBRARY = re.compile(r"^\s*(?:\S+ => )?(/\S+) \(0x[0-9a-f]+\)$", re.MULTILINE)
_BATCH = 100
_ASK_S = 30.0
_LOADED_LATE = ("libgcc_s.so.1", "libstdc++.so.6")
"""Opened by libc and numpy at run time, so no header names them."""
_LOADER_CACHE = "/etc/ld.so.cache"
VENV = "/venv"


@dataclass(frozen=True, slots=True)
class PythonTree:
    """Mounts: host path to path inside, all read-only; links: path inside to its target."""

    python: str
    """The interpreter's path inside."""
    mounts: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    hidden: tuple[str, ...]
    """Folders inside to cover with nothing."""


_known: dict[tuple[str, str], PythonTree] = {}


def python_tree(environment: Environment) -> PythonTree:
    """The tree for a built environment. Raises EngineUnavailable where it cannot be worked out."""
    key = str(environment.python), environment.digest
    if key not in _known:
        _known[key] = _work_out(environment)
    return _known[key]


def _work_out(environment: Environment) -> PythonTree:
    # Of the interpreter that the environment was made from: fumehood itself may run on another one of the same version.
    base = environment.python.resolve()
    venv = environment.python.parent.parent
    stdlib, libraries = _of_interpreter(environment, base)
    mounts = [(str(base), str(base)), (str(stdlib), str(stdlib)), (str(venv), VENV)]
    mounts += [(str(base), str(link)) for link in _chain(environment.python) if not link.is_relative_to(venv)]
    for library in libraries:
        place = os.path.join(os.path.realpath(os.path.dirname(library)), os.path.basename(library))
        mounts.append((os.path.realpath(library), place))
    if os.path.exists(_LOADER_CACHE):
        mounts.append((_LOADER_CACHE, _LOADER_CACHE))
    zones = _zones(environment)
    if zones is not None:
        mounts.append((zones, "/usr/share/zoneinfo"))
    links = tuple((path, os.readlink(path)) for path in ("/lib", "/lib64", "/lib32", "/bin") if os.path.islink(path))
    hidden = tuple(str(path) for path in (stdlib / "site-packages", stdlib / "test") if path.is_dir())
    return PythonTree(python=f"{VENV}/bin/python3", links=links, hidden=hidden,
                      mounts=tuple({target: (source, target) for source, target in mounts}.values()))


def _chain(path: Path) -> Iterator[Path]:
    """Every name on the way from a link to its file."""
    while path.is_symlink():
        path = Path(os.path.normpath(path.parent / path.readlink()))
        yield path


def _zones(environment: Environment) -> str | None:
    for folder in (Path("/usr/share/zoneinfo"), environment.site_packages / "tzdata" / "zoneinfo"):
        if (folder / "UTC").exists():
            return str(folder)
    return None


def _of_interpreter(environment: Environment, base: Path) -> tuple[Path, list[str]]:
    """The folder of its standard library, and the shared libraries it needs of the host."""
    kept = environment.python.parent.parent / "libraries.json"
    key = f"{environment.digest} {base} {base.stat().st_mtime_ns}"
    try:
        record = json.loads(kept.read_text("utf-8"))
        if record["key"] == key and all(map(os.path.exists, [record["stdlib"], *record["libraries"]])):
            return Path(record["stdlib"]), list(record["libraries"])
    except (OSError, ValueError, KeyError):
        pass  # not asked yet, or half written by one that was killed: ask
    stdlib = _ask_interpreter(environment)
    found = _ask_loader([str(base), *_modules(stdlib / "lib-dynload"), *_modules(environment.site_packages)])
    own = (str(environment.python.parent.parent) + os.sep, str(environment.site_packages) + os.sep)
    libraries = sorted(path for path in found if not path.startswith(own))
    for name in _LOADED_LATE:
        libraries += [path for folder in {os.path.dirname(path) for path in libraries}
                      if os.path.exists(path := os.path.join(folder, name)) and path not in libraries]
    _keep(kept, {"key": key, "stdlib": str(stdlib), "libraries": libraries})
    return stdlib, libraries


def _ask_interpreter(environment: Environment) -> Path:
    try:
        told = subprocess.run([str(environment.python), "-I", "-S", "-c", "import os; print(os.path.dirname(os.__file__))"],
                              env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=_ASK_S, check=False, start_new_session=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineUnavailable(f"{environment.python} cannot be started: {error}") from error
    if told.returncode != 0:
        raise EngineUnavailable(f"{environment.python} does not work: {told.stderr.strip()[-500:]}")
    return Path(told.stdout.rstrip("\n"))


def _modules(folder: Path) -> Iterator[str]:
    for root, _, names in os.walk(folder):
        yield from (os.path.join(root, name) for name in names if ".so" in name)


def _ask_loader(files: Iterable[str]) -> set[str]:
    files, found = list(files), set[str]()
    for start in range(0, len(files), _BATCH):
        try:
            told = subprocess.run(["ldd", *files[start:start + _BATCH]], capture_output=True, text=True, check=False,
                                  errors="replace", stdin=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
                                  start_new_session=True)
        except OSError as error:
            raise EngineUnavailable(f"bubblewrap: `ldd` is needed to find Python's shared libraries, and cannot be "
                                    f"started ({error.strerror}); it is part of glibc (libc-bin)") from error
        found.update(os.path.normpath(path) for path in _LIBRARY.findall(told.stdout))
    if not found:
        raise EngineUnavailable("bubblewrap: `ldd` names no shared library of this Python; a musl system is not supported")
    return found


def _keep(path: Path, record: dict[str, object]) -> None:
    written = path.with_suffix(f".{os.getpid()}")
    try:
        written.write_text(json.dumps(record), "utf-8")
        written.replace(path)
    except OSError:
        return  # an environment that others own: ask again in the next process
