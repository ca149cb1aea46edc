"""The sandbox's Python environment: built whole or not at all, from wheels only, once, and by one builder."""

import json
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fumehood.sandbox import environment as environment_module
from fumehood.sandbox.environment import Environment, build_environment, environment_path, find_environment
from fumehood.sandbox.errors import BadRequest, SandboxError
from fumehood.sandbox.packages import (
    import_names,
    installed,
    is_hash_pinned,
    missing_imports,
    python_minor,
    shipped_requirements,
)
from fumehood.sandbox.wanted import beyond_shipped

SIX = ("six==1.17.0 --hash=sha256:4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274\n")


def write_small(folder: Path) -> Path:
    """One small package of the shipped lock, with its hashes."""
    lines = shipped_requirements().read_text().split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("et-xmlfile=="))
    end = next(number for number, line in enumerate(lines[start:], start) if not line.endswith("\\"))
    path = folder / "small.txt"
    path.write_text("\n".join(lines[start:end + 1]) + "\n")
    return path


@contextmanager
def shipping(lock: Path) -> Iterator[None]:
    """Within it, this file is the lock that fumehood ships."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("packages", "wanted"):
            patch.setattr(f"fumehood.sandbox.{module}.shipped_requirements", lambda: lock)
        yield


@pytest.fixture
def nothing_shipped(tmp_path: Path) -> Iterator[None]:
    """What a test builds is its own file alone, not hundreds of megabytes below it."""
    (tmp_path / "nothing.txt").touch()
    with shipping(tmp_path / "nothing.txt"):
        yield


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_small(tmp_path)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Environment, list[str]]:
    """Requirements, data folder, the environment built there once, and what the builder told."""
    folder = tmp_path_factory.mktemp("once")
    told: list[str] = []
    small = write_small(folder)
    (folder / "nothing.txt").touch()
    with shipping(folder / "nothing.txt"):
        return small, folder / "home", build_environment(small, home=folder / "home", progress=told.append), told


@pytest.fixture
def built(nothing_shipped: None, once: tuple[Path, Path, Environment, list[str]], small: Path, home: Path) -> Environment:
    """The same in this test's own data folder, as a rename would put it there."""
    shutil.copytree(once[1], home, symlinks=True)
    found = build_environment(small, home=home)
    assert found.digest == once[2].digest
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def folders(home: Path) -> list[str]:
    return sorted(entry.name for entry in (home / "environments").iterdir() if entry.is_dir())


@pytest.mark.usefixtures("nothing_shipped")
def test_built_once_then_found(once: tuple[Path, Path, Environment, list[str]]) -> None:
    small, home, made, told = once
    assert told
    assert made.packages == {"et-xmlfile": "2.0.0"}
    assert made.modules == ["et_xmlfile"]
    assert made.digest.startswith("sha256:")
    assert made.python == environment_path(small, home) / "bin" / "python3"
    code = "import et_xmlfile, sys; print(et_xmlfile.__file__); print(sys.version_info[:2])"
    ran = subprocess.run([made.python, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert str(made.site_packages) in ran.stdout
    assert str(tuple(int(part) for part in python_minor().split("."))) in ran.stdout
    again: list[str] = []
    assert build_environment(small, home=home, progress=again.append) == made
    assert again == [], "nothing is installed a second time"
    assert json.loads((made.python.parents[1] / "environment.json").read_text())["packages"] == made.packages
    assert find_environment(home) == made
    assert folders(home) == [made.python.parents[1].name]


def test_nothing_installable_or_runnable_is_left_inside(built: Environment) -> None:
    assert {entry.name for entry in built.python.parent.iterdir() if entry.name.startswith("pip")} == set()
    assert not (built.site_packages / "bin").exists()
    assert not (built.site_packages / "pip").exists()


def test_its_modules_come_compiled(built: Environment) -> None:
    """The sandbox sees it read-only, so an import that had to compile would do so every time."""
    assert list((built.site_packages / "et_xmlfile" / "__pycache__").glob("*.pyc"))


@pytest.mark.usefixtures("nothing_shipped")
def test_two_builders_at_once_build_once(small: Path, home: Path) -> None:
    told: list[str] = []
    made: list[Environment] = []
    builders = [threading.Thread(target=lambda: made.append(build_environment(small, home=home, progress=told.append)))
                for _ in range(3)]
    for builder in builders:
        builder.start()
    for builder in builders:
        builder.join()
    assert len(made) == 3
    assert made[0] == made[1] == made[2]
    assert len([line for line in told if line.startswith("installing")]) == 1
    assert len(folders(home)) == 1


@pytest.mark.usefixtures("nothing_shipped")
def test_bytes_that_differ_from_the_hash_leave_nothing(small: Path, home: Path) -> None:
    small.write_text("et-xmlfile==2.0.0 --hash=sha256:" + "0" * 64 + "\n")
    with pytest.raises(SandboxError, match="differs from the hash"):
        build_environment(small, home=home)
    assert folders(home) == []
    assert find_environment(home) is None


@pytest.mark.usefixtures("nothing_shipped")
def test_hashes_on_some_lines_only_are_refused(small: Path, home: Path) -> None:
    small.write_text(small.read_text() + "pypdf==7.1.1\n")
    with pytest.raises(SandboxError, match="hash"):
        build_environment(small, home=home)
    assert folders(home) == []


@pytest.mark.usefixtures("nothing_shipped")
def test_an_unreachable_index_is_told_as_such(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1",
                        "UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple", "UV_HTTP_RETRIES": "0", "UV_NO_CACHE": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("et-xmlfile==2.0.0 --hash=sha256:" + "0" * 64 + "\n")
    with pytest.raises(SandboxError, match="could not reach the package index"):
        build_environment(wanted, home=home)
    assert folders(home) == []


@pytest.mark.usefixtures("nothing_shipped")
def test_a_source_distribution_is_never_built(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its setup.py would run on this host, outside of every sandbox."""
    canary = tmp_path / "canary"
    source = tmp_path / "evil-1.0"
    source.mkdir()
    (source / "setup.py").write_text(f"open({str(canary)!r}, 'w').close()\nfrom setuptools import setup\n"
                                     "setup(name='evil', version='1.0')\n")
    (source / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    links = tmp_path / "links"
    links.mkdir()
    with tarfile.open(links / "evil-1.0.tar.gz", "w:gz") as archive:
        archive.add(source, arcname="evil-1.0")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(links))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("evil==1.0\n")
    with pytest.raises(SandboxError, match="wheels"):
        build_environment(wanted, home=home)
    assert not canary.exists()
    assert folders(home) == []


@pytest.mark.usefixtures("nothing_shipped")
def test_an_unpinned_file_of_an_operator_is_taken(home: Path, tmp_path: Path) -> None:
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("et-xmlfile==2.0.0\n")
    assert not is_hash_pinned(wanted.read_bytes())
    assert build_environment(wanted, home=home).packages == {"et-xmlfile": "2.0.0"}


@pytest.mark.usefixtures("nothing_shipped")
def test_a_killed_builders_leftovers_are_cleared(small: Path, home: Path) -> None:
    path = environment_path(small, home)
    leftover = path.parent / f"{path.name}.build-dead"
    (leftover / "lib").mkdir(parents=True)
    path.mkdir()  # no record in it: it never was complete
    build_environment(small, home=home)
    assert folders(home) == [path.name]


@pytest.mark.usefixtures("nothing_shipped")
def test_interrupted_leaves_nothing(small: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(environment_module, "install_wanted", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_environment(small, home=home)
    assert folders(home) == []


@pytest.mark.usefixtures("nothing_shipped")
def test_an_environment_whose_interpreter_is_gone_is_built_again(built: Environment, small: Path, home: Path) -> None:
    for link in built.python.parent.iterdir():
        if link.is_symlink() and link.readlink().is_absolute():
            link.unlink()
            link.symlink_to("/nonexistent/python3")
    assert find_environment(home) is None
    assert build_environment(small, home=home) == built
    assert find_environment(home) == built


@pytest.mark.usefixtures("nothing_shipped")
def test_a_damaged_record_says_what_to_do(built: Environment, small: Path, home: Path) -> None:
    (built.python.parents[1] / "environment.json").write_text("{")
    with pytest.raises(SandboxError, match="fumehood sandbox build"):
        find_environment(home)


@pytest.mark.parametrize("hashed", [True, False])
def test_what_an_operator_names_comes_on_top_of_the_shipped_packages(
        small: Path, home: Path, tmp_path: Path, hashed: bool) -> None:
    own = tmp_path / "own.txt"
    own.write_text(SIX if hashed else "six==1.17.0\net-xmlfile\n")
    told: list[str] = []
    with shipping(small):
        made = build_environment(own, home=home, progress=told.append)
        assert made.packages == {"et-xmlfile": "2.0.0", "six": "1.17.0"}
        assert made.modules == ["et_xmlfile", "six"]
        assert find_environment(home) == made
        assert beyond_shipped(made.packages) == "added: six 1.17.0"
        assert build_environment(home=home).packages == {"et-xmlfile": "2.0.0"}
        assert beyond_shipped({"et-xmlfile": "2.0.0"}) == ""
    assert not any("give way" in line for line in told)


def test_an_operators_version_of_a_shipped_package_wins_and_is_told(small: Path, home: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("et_xmlfile<2\n")
    told: list[str] = []
    with shipping(small):
        made = build_environment(own, home=home, progress=told.append)
        assert made.packages == {"et-xmlfile": "1.1.0"}
        assert beyond_shipped(made.packages) == "in another version: et-xmlfile 1.1.0 (shipped: 2.0.0)"
    assert "own.txt decides over et-xmlfile; the shipped versions give way" in told


def test_packages_that_do_not_fit_the_shipped_ones_are_an_error_that_names_them(home: Path, tmp_path: Path) -> None:
    """The shipped pandas needs a newer numpy than this one: without a look at all of it, it would break at import."""
    lines = shipped_requirements().read_text().replace("\\\n", " ").splitlines()
    lock = tmp_path / "lock.txt"
    lock.write_text("\n".join(line for line in lines if line.startswith(("pandas==", "numpy==", "python-dateutil==",
                                                                        "six==", "pytz==", "tzdata=="))) + "\n")
    own = tmp_path / "own.txt"
    own.write_text("numpy<1.24\n")
    with shipping(lock), pytest.raises(SandboxError, match=r"own\.txt does not go together .* numpy.*pandas=="):
        build_environment(own, home=home)
    assert folders(home) == []


def test_what_an_operator_built_last_is_used_until_the_default_is_built_again(
        built: Environment, small: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other.txt"
    other.write_text("et-xmlfile==2.0.0\n")
    monkeypatch.setattr("fumehood.sandbox.wanted.shipped_requirements", lambda: small)
    monkeypatch.setattr("fumehood.sandbox.packages.shipped_requirements", lambda: small)
    default = build_environment(home=home)
    own = build_environment(other, home=home)
    assert own.digest != default.digest
    assert find_environment(home) == own
    assert build_environment(other, home=home, choose=False) == own
    assert build_environment(home=home) == default
    assert find_environment(home) == default


@pytest.mark.usefixtures("nothing_shipped")
def test_the_data_folder_is_the_one_asked_for(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUMEHOOD_HOME", str(tmp_path / "elsewhere"))
    assert environment_path(small).is_relative_to(tmp_path / "elsewhere" / "environments")


@pytest.mark.usefixtures("nothing_shipped")
def test_a_missing_file_is_named(home: Path) -> None:
    with pytest.raises(BadRequest, match=r"nowhere\.txt"):
        build_environment(Path("/nowhere.txt"), home=home)


def test_a_python_without_a_lock_is_told_which_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fumehood.sandbox.packages.python_minor", lambda: "3.99")
    with pytest.raises(BadRequest, match=r"3\.11, 3\.12, 3\.13, not for 3\.99"):
        shipped_requirements()


@pytest.mark.usefixtures("nothing_shipped")
def test_a_data_folder_that_cannot_be_written_is_an_error_of_ours(small: Path) -> None:
    with pytest.raises(SandboxError, match="/proc/nowhere"):
        build_environment(small, home=Path("/proc/nowhere"))


def test_every_shipped_lock_pins_every_package_by_hash() -> None:
    locks = sorted(shipped_requirements().parent.glob("py3*.txt"))
    assert len(locks) >= 3
    for lock in locks:
        blocks = lock.read_text().replace("\\\n", " ").splitlines()
        packages = [line for line in blocks if line.strip() and not line.lstrip().startswith("#")]
        assert all("==" in line and "--hash=sha256:" in line for line in packages), lock.name
        assert {"numpy", "pandas", "scipy", "matplotlib", "pyarrow", "openpyxl", "pillow", "pypdf", "tzdata"} <= {
            line.partition("==")[0] for line in packages}


def test_missing_imports_are_those_that_nothing_offers() -> None:
    allowed = ["json", "os.path", "pandas", "matplotlib.*", "PIL", "sklearn.*", "torch"]
    assert missing_imports(allowed, ["pandas", "matplotlib", "PIL"]) == ["sklearn.*", "torch"]
    assert missing_imports([], []) == []


def test_modules_and_distributions_are_read_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "__init__.py").touch()
    (tmp_path / "two.py").touch()
    (tmp_path / "_three.cpython-311-x86_64-linux-gnu.so").touch()
    (tmp_path / "Some_Name-1.0.dist-info").mkdir()
    (tmp_path / "Some_Name-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: Some_Name\nVersion: 1.0\n")
    (tmp_path / "empty").mkdir()
    assert import_names(tmp_path) == ["_three", "one", "two"]
    assert installed(tmp_path) == {"some-name": "1.0"}
