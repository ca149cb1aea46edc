"""Wheels for the sandbox's Python: resolved and checked on the host, put into a plain folder, never built from source.

Building a source distribution runs its author's code on this host, outside of every sandbox; so only wheels are taken.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata, resources
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_data_path

from .errors import BadRequest, SandboxError

_INSTALL_TIMEOUT_S = 3600
_UNREACHABLE = (
    "NewConnectionError", "Max retries exceeded", "name resolution", "Connection refused", "ConnectTimeout",
    "ReadTimeout", "Network is unreachable", "No route to host", "ProxyError", "error sending request",
    "dns error", "client error (Connect)", "Failed to fetch", "network was disabled", "tunnel",
)
_DIFFERENT_BYTES = ("DO NOT MATCH THE HASHES", "Hash mismatch", "hash mismatch")
_UNHASHED = ("--require-hashes mode", "must have their versions pinned", "missing a hash", "hashes are required")

Progress = Callable[[str], None]


def silent(_: str) -> None:
    """The progress callback of a caller that does not show any."""


def data_folder(home: Path | None = None) -> Path:
    """Where fumehood keeps what it builds: `home`, else `$FUMEHOOD_HOME`, else the user's data folder."""
    if home is not None:
        return home
    named = os.environ.get("FUMEHOOD_HOME")
    return Path(named).expanduser().absolute() if named else user_data_path("fumehood")


def python_minor() -> str:
    """`3.12`: the minor version that gate and sandbox must share."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def shipped_requirements() -> Path:
    """The hash-pinned requirements that fumehood ships for the running Python, or BadRequest where it has none."""
    folder = Path(str(resources.files(__package__))) / "requirements"
    path = folder / f"py{python_minor().replace('.', '')}.txt"
    if path.is_file():
        return path
    known = ", ".join(sorted(f"3.{p.stem[3:]}" for p in folder.glob("py3*.txt")))
    raise BadRequest(
        f"fumehood ships pinned packages for Python {known}, not for {python_minor()}: run it with one of those, "
        "or name your own with `fumehood sandbox build --requirements FILE`"
    )


def read_requirements(path: Path | None) -> tuple[Path, bytes]:
    """The file and its bytes; BadRequest where an operator's file is not there."""
    chosen = path.expanduser().absolute() if path else shipped_requirements()
    try:
        return chosen, chosen.read_bytes()
    except OSError as error:
        raise BadRequest(f"cannot read the requirements {chosen}: {error.strerror}") from error


def is_hash_pinned(requirements: bytes) -> bool:
    """Whether the file asks for hashes, so that every line of it must have one."""
    return b"--hash=" in requirements


def installed(folder: Path) -> dict[str, str]:
    """Distributions in a site folder: canonical name to version."""
    found = metadata.distributions(path=[str(folder)])
    return dict(sorted((dist.metadata["Name"].lower().replace("_", "-"), dist.version) for dist in found))


def import_names(folder: Path) -> list[str]:
    """Top-level modules that a site folder offers to `import`, sorted. Private ones and metadata are left out."""
    names = set()
    for entry in folder.iterdir():
        name = entry.name.split(".", 1)[0]
        is_module = entry.suffix in {".py", ".so"} or (entry.is_dir() and entry.suffix == "" and any(entry.iterdir()))
        if is_module and name.isidentifier() and not name.startswith("__"):
            names.add(name)
    return sorted(names)


def missing_imports(allowed: Iterable[str], modules: Iterable[str]) -> list[str]:
    """Allowed imports that the sandbox does not have: neither standard library nor among its top-level modules.

    `allowed` is written as in a policy's profile (`pandas`, `matplotlib.*`); the answer keeps that spelling.
    """
    present = set(modules) | set(sys.stdlib_module_names)
    return [name for name in allowed if name.split(".", 1)[0] not in present]


def install_wheels(
    requirements: Sequence[Path], target: Path, *, platform: str | None = None, progress: Progress = silent,
    with_dependencies: bool = True,
) -> None:
    """Install the wheels that these files ask for together into `target`, compiled, for the running minor version.

    `platform` is a machine (`x86_64`, `aarch64`) to fetch manylinux wheels for; None means this host. Raises
    SandboxError that tells an unreachable index, changed bytes and a package without a wheel apart.
    """
    pinned = any(is_hash_pinned(path.read_bytes()) for path in requirements)
    named = " and ".join(path.name for path in requirements)
    argv = [*_installer(target, platform), "--only-binary", ":all:", *(["--require-hashes"] if pinned else []),
            *([] if with_dependencies else ["--no-deps"]), *_files(requirements)]
    progress(f"installing the packages of {named} (wheels only{', by hash' if pinned else ''})")
    result = _call(argv)
    if result.returncode != 0:
        raise SandboxError(_explain(result.stdout + result.stderr, named))
    # Console scripts carry the path of the folder they were installed in, and no program may start them.
    for leftover in ("bin", "share"):
        shutil.rmtree(target / leftover, ignore_errors=True)


def resolves(requirements: Sequence[Path], *, platform: str | None = None) -> bool:
    """Whether one set of wheels satisfies all these files. Raises SandboxError where the index cannot be reached."""
    with tempfile.TemporaryDirectory(prefix="fumehood-resolve-") as nowhere:
        argv = [*_installer(Path(nowhere), platform), "--dry-run", "--only-binary", ":all:", *_files(requirements)]
        result = _call(argv)
    output = result.stdout + result.stderr
    if result.returncode != 0 and any(text in output for text in _UNREACHABLE):
        raise SandboxError(_explain(output, requirements[0].name))
    return result.returncode == 0


def _files(requirements: Sequence[Path]) -> list[str]:
    return [word for path in requirements for word in ("-r", str(path))]


def _installer(target: Path, platform: str | None) -> list[str]:
    """The start of an install command: uv where there is one, else pip, else the pip that Python carries with it."""
    machine = platform or ""
    beside = Path(sys.executable).with_name("uv")
    uv = str(beside) if beside.is_file() else shutil.which("uv")
    if uv:
        argv = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", sys.executable]
        if machine:
            argv += ["--python-version", python_minor(), "--python-platform", f"{machine}-manylinux_2_28"]
        return [*argv, "--target", str(target)]
    cross = ["--implementation", "cp", "--python-version", python_minor()] if machine else []
    for tag in ("manylinux_2_28", "manylinux_2_17", "manylinux2014") if machine else ():
        cross += ["--platform", f"{tag}_{machine}"]
    pip = ["-m", "pip"] if find_spec("pip") else [str(_carried_pip() / "pip")]
    return [sys.executable, "-I", *pip, "install", "--quiet", "--no-input", "--disable-pip-version-check", *cross,
            "--target", str(target)]


def _carried_pip() -> Path:
    """The wheel that `ensurepip` would unpack into a venv; pip runs from it as it is."""
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), Path(sysconfig.get_path("stdlib")) / "ensurepip" / "_bundled"]
    for folder in folders:
        wheels = sorted(Path(folder).glob("pip-*.whl")) if folder else []
        if wheels:
            return wheels[-1]
    raise SandboxError("no installer found: put uv on PATH, or install pip for this Python (on Debian and Ubuntu: "
                       "apt install python3-venv)")


def _call(argv: list[str]) -> "subprocess.CompletedProcess[str]":
    # The index, proxy and certificates stay the user's; what would send files elsewhere does not.
    unwanted = {"PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "UV_TARGET",
                "PIP_REQUIRE_VIRTUALENV"}
    env = {name: value for name, value in os.environ.items() if name not in unwanted}
    try:
        return subprocess.run(argv, env=env, capture_output=True, text=True, errors="replace", check=False,
                              stdin=subprocess.DEVNULL, timeout=_INSTALL_TIMEOUT_S)
    except subprocess.TimeoutExpired as error:
        raise SandboxError(f"{Path(argv[0]).name} did not end within {_INSTALL_TIMEOUT_S} s") from error


def _explain(output: str, requirements: str) -> str:
    if any(text in output for text in _DIFFERENT_BYTES):
        return (f"a package differs from the hash in {requirements}; nothing was kept. "
                f"The index may have been tampered with: {_tail(output)}")
    if any(text in output for text in _UNHASHED):
        return f"{requirements} has hashes on some lines only; pin all of them or none: {_tail(output)}"
    if any(text in output for text in _UNREACHABLE):
        return ("could not reach the package index. Check the network and the proxy (HTTPS_PROXY), or name a mirror "
                f"(PIP_INDEX_URL or UV_DEFAULT_INDEX): {_tail(output)}")
    return (f"could not install {requirements} for Python {python_minor()} from wheels (packages that exist as "
            f"source only are not built; an index that cannot be reached has none): {_tail(output)}")


def _tail(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return " | ".join(lines[-4:])[-800:]
