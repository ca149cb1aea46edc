"""A base image from Debian packages, where no registry is reachable: Python and nothing to log in to."""

import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

from .errors import SandboxError
from .packages import Progress, python_minor

SUITES = {"3.11": "bookworm", "3.13": "trixie"}
"""Debian's suite by the minor version of the Python in it."""
_PACKAGES = "python3,tzdata,libstdc++6,libgcc-s1"
_TIMEOUT_S = 1800
_EXCLUDED = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/info/*", "/usr/share/locale/*")


def debian_suite() -> str:
    """The suite whose Python is of the running minor version, or SandboxError that says what to do instead."""
    suite = SUITES.get(python_minor())
    if suite:
        return suite
    has = ", ".join(f"{minor} ({name})" for minor, name in SUITES.items())
    raise SandboxError(
        f"Debian has no Python {python_minor()} to build the image from, only {has}, and gate and sandbox must share "
        f"the minor version. Build where a registry is reachable (the base is then python:{python_minor()}-slim), "
        f"name a local image of that Python with --from, or run fumehood with Python {' or '.join(SUITES)}."
    )


def check_architecture(daemon: str) -> None:
    """`daemon`: the daemon's architecture in its own words. A tree is made for this host's."""
    if {"amd64": "x86_64", "arm64": "aarch64"}.get(daemon, daemon) != platform.machine():
        raise SandboxError(f"the daemon runs on {daemon}, this host is {platform.machine()}: build the image there")


def debian_tree(archive: Path, progress: Progress) -> str:
    """Write a tar of the tree; what it was made from, in words. Needs mmdebstrap, or root and debootstrap."""
    suite = debian_suite()
    if shutil.which("mmdebstrap"):
        progress(f"making a Debian {suite} tree with mmdebstrap")
        options = [f"--dpkgopt=path-exclude={pattern}" for pattern in _EXCLUDED]
        _call(["mmdebstrap", "--variant=essential", "--format=tar", f"--include={_PACKAGES}", *options, suite,
               str(archive)])
        return f"debian:{suite} by mmdebstrap"
    if shutil.which("debootstrap"):
        progress(f"making a Debian {suite} tree with debootstrap")
        with tempfile.TemporaryDirectory(prefix="fumehood-debian-") as folder:
            tree = Path(folder, "tree")
            _call(["debootstrap", "--variant=minbase", f"--include={_PACKAGES}", suite, str(tree)])
            _call(["tar", "--numeric-owner", "--one-file-system", "-C", str(tree), "-cf", str(archive), "."])
        return f"debian:{suite} by debootstrap"
    raise SandboxError("no registry is reachable and neither mmdebstrap nor debootstrap is installed, so there is "
                       "nothing to build the image from: apt install mmdebstrap, or name a local image with --from")


def _call(argv: list[str]) -> None:
    try:
        result = subprocess.run(argv, capture_output=True, text=True, errors="replace", check=False,
                                stdin=subprocess.DEVNULL, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired as error:
        raise SandboxError(f"{argv[0]} did not end within {_TIMEOUT_S} s") from error
    if result.returncode == 0:
        return
    lines = [line for line in (result.stderr or result.stdout).splitlines() if line.strip()[:2] not in {"", "I:"}]
    tail = " | ".join(lines)[-800:]
    if "keyring" in tail or "NO_PUBKEY" in tail:
        tail += " (Debian's keys may be missing: apt install debian-archive-keyring)"
    raise SandboxError(f"{argv[0]} could not make the tree; is the Debian mirror reachable? {tail}")
