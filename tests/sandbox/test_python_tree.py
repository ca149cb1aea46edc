"""The host's part of a sandbox's Python: of the interpreter that the environment was made from."""

import json
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fumehood.sandbox.bubblewrap import BubblewrapEngine
from fumehood.sandbox.environment import Environment
from fumehood.sandbox.landlock import LandlockEngine
from fumehood.sandbox.packages import python_minor

from .conftest import Bench

ENGINES = [BubblewrapEngine, LandlockEngine]


@pytest.fixture(scope="module")
def other_python() -> Iterator[Environment]:
    """An environment of another installed Python of the same version, as one built before an upgrade of the system's is,
    or one that another of the user's programs built."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:  # /tmp is the sandbox's own
        yield make_python(Path(folder))


def make_python(folder: Path) -> Environment:
    folder.chmod(0o755)
    base, venv = folder / "base", folder / "venv"
    interpreter = base / "bin" / f"python{python_minor()}"
    interpreter.parent.mkdir(parents=True)
    own = Path(sysconfig.get_config_var("BINDIR")) / f"python{python_minor()}"
    shutil.copy(own.resolve(), interpreter)
    for library in (own.parent.parent / "lib").glob("libpython*.so*"):
        (base / "lib").mkdir(exist_ok=True)
        shutil.copy(library, base / "lib" / library.name)
    shutil.copytree(sysconfig.get_path("stdlib"), base / "lib" / f"python{python_minor()}", symlinks=True,
                    ignore=shutil.ignore_patterns("site-packages", "dist-packages", "test", "idlelib", "tkinter",
                                                  "config-*", "sitecustomize.py"))
    subprocess.run([interpreter, "-I", "-m", "venv", "--without-pip", venv], env={}, check=True)
    (venv / "environment.json").write_text(json.dumps({"digest": "sha256:other"}))
    return Environment(python=venv / "bin" / "python3", digest="sha256:other", packages={}, modules=[],
                       site_packages=venv / "lib" / f"python{python_minor()}" / "site-packages")


@pytest.mark.parametrize("made", ENGINES)
def test_an_environment_of_another_installed_python_runs_on_that_python(
        made: Callable[..., BubblewrapEngine | LandlockEngine], other_python: Environment, tmp_path: Path) -> None:
    engine = made(environment=other_python)
    why = engine.unavailable()
    assert why is None, why
    bench = Bench(engine, tmp_path)
    try:
        # A codec that nothing has loaded before the walls stand, and an extension module.
        report = bench.run("import sys, os, json\nb'x'.decode('cp437')\nimport _decimal\n"
                           "print(json.dumps([sys.base_prefix, os.__file__]))")
    finally:
        bench.close()
    base = str(other_python.python.resolve().parent.parent)
    assert report.execution.outcome == "completed", report
    prefix, module = json.loads(report.stdout_path.read_text())
    assert prefix == base
    assert module.startswith(f"{base}/lib/")


def test_a_python_where_the_sandbox_has_its_own_folder_is_refused_with_the_way_out(tmp_path: Path) -> None:
    if not tmp_path.is_relative_to("/tmp"):
        tmp_path = Path(tempfile.mkdtemp(dir="/tmp"))
    why = BubblewrapEngine(environment=make_python(tmp_path)).unavailable()
    assert why is not None
    assert str(tmp_path) in why
    assert "install Python elsewhere" in why
