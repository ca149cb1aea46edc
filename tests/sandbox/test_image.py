"""The sandbox image: what is in it, what is not, and how it is built where a registry is and is not in reach."""

import io
import json
import os
import subprocess
import tarfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fumehood.sandbox import debian_base
from fumehood.sandbox import image as image_module
from fumehood.sandbox.daemon import Daemon
from fumehood.sandbox.docker import DockerEngine
from fumehood.sandbox.engine import LaunchRequest
from fumehood.sandbox.errors import BadRequest, EngineUnavailable, SandboxError
from fumehood.sandbox.image import build_image
from fumehood.sandbox.image_record import Image, record_image, recorded_image
from fumehood.sandbox.image_strip import UNWANTED_COMMANDS
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.owner import owner_identity
from fumehood.sandbox.packages import missing_imports, python_minor, read_requirements, shipped_requirements

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def engine() -> DockerEngine:
    found = DockerEngine()
    why = found.unavailable()
    if why is not None:
        if "docker" in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
            pytest.fail(f"docker is required and not available: {why}")
        pytest.skip(why)
    return found


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """One small package of the shipped lock, with its hashes."""
    lines = shipped_requirements().read_text().split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("et-xmlfile=="))
    end = next(number for number, line in enumerate(lines[start:], start) if not line.endswith("\\"))
    path = tmp_path / "small.txt"
    path.write_text("\n".join(lines[start:end + 1]) + "\n")
    return path


@pytest.fixture
def local_image() -> Iterator[Callable[[str], str]]:
    """A local image by a few lines of Dockerfile; gone after the test, with what was built on it."""
    made: list[str] = []

    def make(dockerfile: str) -> str:
        tag = f"fumehood-test:{uuid.uuid4().hex[:8]}"
        subprocess.run(["docker", "build", "-q", "-t", tag, "-"], input=dockerfile, text=True, check=True,
                       capture_output=True, env={**os.environ, "DOCKER_BUILDKIT": "0"})
        made.append(tag)
        return tag

    yield make
    for tag in made:
        Daemon().api().remove_image(tag, force=True, noprune=True)


@pytest.fixture(autouse=True)
def own_tag(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Built images get a tag of this test's own, so that the tag of the real one stays where it is."""
    name = f"fumehood-test-built-{uuid.uuid4().hex[:8]}"
    monkeypatch.setattr(image_module, "TAG", name)
    yield
    if Daemon().unreachable() is not None:
        return  # nothing was built
    api = Daemon().api()
    for found in api.images(filters={"reference": f"{name}:*"}):
        api.remove_image(found["Id"], force=True)


def inside(engine: DockerEngine, code: str, image: Image | None = None) -> object:
    chosen = image or engine.image()
    request = LaunchRequest(limits=Limits(memory_mb=512), run_id="test", owner=owner_identity())
    sandbox = engine.start_command(request, chosen, [chosen.executable, "-I", "-B", "-c", code])
    try:
        said = b"".join(iter(lambda: sandbox.stdout.read(65536), b""))
        assert said, sandbox.diagnose()
        return json.loads(said)
    finally:
        sandbox.close()


# What is in the real one


def test_the_image_in_use_has_the_gates_python_and_the_shipped_packages(engine: DockerEngine) -> None:
    image = engine.image()
    assert image.python.startswith(f"{python_minor()}.")
    assert image.unusable() is None
    listed = inside(engine, "import importlib.metadata as m, json\nprint(json.dumps({d.metadata['Name'].lower()"
                            ".replace('_', '-'): d.version for d in m.distributions()}))")
    assert listed == image.packages
    assert missing_imports(["pandas", "numpy", "scipy.*", "matplotlib.*", "PIL", "pyarrow", "openpyxl", "pypdf", "json"],
                           image.modules) == []
    assert missing_imports(["sklearn"], image.modules) == ["sklearn"]


def test_every_module_it_claims_can_be_imported(engine: DockerEngine) -> None:
    names = [name for name in engine.image().modules if name != "pylab"]
    failed = inside(engine, f"""
import importlib, json, os
os.environ["MPLCONFIGDIR"] = "/tmp"
failed = {{}}
for name in {names!r}:
    try: importlib.import_module(name)
    except Exception as error: failed[name] = repr(error)
print(json.dumps(failed))
""")
    assert failed == {}


def test_nothing_in_it_installs_compiles_or_raises_privileges(engine: DockerEngine) -> None:
    found = inside(engine, """
import importlib.util, json, os, stat
raised, commands = [], []
for folder, folders, names in os.walk("/"):
    folders[:] = [n for n in folders if os.path.join(folder, n) not in ("/proc", "/sys", "/dev")]
    for name in names:
        path = os.path.join(folder, name)
        mode = os.lstat(path).st_mode
        if stat.S_ISREG(mode) and mode & 0o6000: raised.append(path)
        if folder.split("/")[-1] in ("bin", "sbin"): commands.append(name)
print(json.dumps({"raised": raised, "commands": commands, "modules":
    [n for n in ("pip", "setuptools", "ensurepip", "wheel", "distutils.command") if importlib.util.find_spec(n.split(".")[0])
     and n != "distutils.command"]}))
""")
    assert isinstance(found, dict)
    assert found["raised"] == []
    assert found["modules"] == []
    assert [name for name in found["commands"] if UNWANTED_COMMANDS.match(name)] == []
    assert {"sh", "cat"} <= set(found["commands"]), "a session can run a command"


def test_time_zones_are_there(engine: DockerEngine) -> None:
    """Without them an unknown TZ is UTC without a word."""
    offsets = inside(engine, "import json, os, time, zoneinfo\nos.environ['TZ'] = 'Asia/Tokyo'\ntime.tzset()\n"
                             "print(json.dumps([time.timezone, zoneinfo.ZoneInfo('Europe/Berlin').key]))")
    assert offsets == [-32400, "Europe/Berlin"]


def test_its_modules_come_compiled(engine: DockerEngine) -> None:
    assert inside(engine, "import json, pandas\nprint(json.dumps(pandas.__spec__.cached is not None and "
                          "__import__('os').path.exists(pandas.__spec__.cached)))") is True


# Building


def test_on_an_operators_own_local_image(engine: DockerEngine, local_image: Callable[[str], str], small: Path,
                                         tmp_path: Path) -> None:
    base = local_image(f"FROM {engine.image().id}\nUSER 0\nRUN [\"python3\", \"-c\", \"import os, shutil; "
                       "shutil.copy('/usr/bin/env', '/usr/bin/pip'); os.chmod('/usr/bin/env', 0o4755)\"]\n"
                       "ENTRYPOINT [\"/bin/sh\"]\n")
    told: list[str] = []
    made = build_image(small, base=base, home=tmp_path, progress=told.append)
    assert made.base.startswith(base)
    assert made.requirements is not None
    assert made.packages == engine.image().packages, "the base's packages stay, and the one that is pinned is the same"
    assert recorded_image(tmp_path) == made
    chosen = DockerEngine(home=tmp_path)
    assert chosen.unavailable() is None
    assert chosen.runtime() == made.id
    assert inside(chosen, "import json, os\nprint(json.dumps([oct(os.stat('/usr/bin/env').st_mode), "
                          "os.path.exists('/usr/bin/pip')]))") == ["0o100755", False]


def test_an_operators_image_is_taken_as_it_is_without_requirements(engine: DockerEngine, local_image: Callable[[str], str],
                                                                   tmp_path: Path) -> None:
    base = local_image(f"FROM {engine.image().id}\nENV OWN=1\n")
    made = build_image(base=base, home=tmp_path)
    assert made.requirements is None
    assert made.packages == engine.image().packages


def test_a_failed_build_leaves_the_record_alone(engine: DockerEngine, local_image: Callable[[str], str],
                                                tmp_path: Path) -> None:
    record_image(engine.image(), tmp_path)
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("et-xmlfile==2.0.0 --hash=sha256:" + "0" * 64 + "\n")
    with pytest.raises(SandboxError, match="differs from the hash"):
        build_image(wrong, base=local_image(f"FROM {engine.image().id}\nENV OWN=2\n"), home=tmp_path)
    assert recorded_image(tmp_path) == engine.image()


def test_a_base_that_is_not_here_is_not_pulled(engine: DockerEngine, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="no local image no-such-base:1"):
        build_image(base="no-such-base:1", home=tmp_path)


def test_a_base_with_a_volume_is_refused(engine: DockerEngine, local_image: Callable[[str], str], tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="/data"):
        build_image(base=local_image(f"FROM {engine.image().id}\nVOLUME /data\n"), home=tmp_path)


def test_a_base_without_python_is_refused(engine: DockerEngine, tmp_path: Path) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("empty"))
    answer = Daemon().api().import_image_from_data(archive.getvalue(), repository="fumehood-test", tag="bare")
    assert "status" in answer
    try:
        with pytest.raises(BadRequest, match="python3"):
            build_image(base="fumehood-test:bare", home=tmp_path)
    finally:
        Daemon().api().remove_image("fumehood-test:bare", force=True)


def test_a_base_of_another_python_is_refused_with_what_to_do(engine: DockerEngine, local_image: Callable[[str], str],
                                                             tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = local_image(f"FROM {engine.image().id}\nENV OWN=3\n")
    monkeypatch.setattr("fumehood.sandbox.image_record.python_minor", lambda: "3.99")
    with pytest.raises(SandboxError, match=r"3\.99.*Run fumehood with Python"):
        build_image(base=base, home=tmp_path)


def test_a_python_that_debian_has_not_is_told_with_the_ways_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian_base, "python_minor", lambda: "3.12")
    with pytest.raises(SandboxError, match=r"Debian has no Python 3\.12.*python:3\.12-slim.*--from"):
        debian_base.debian_suite()


def test_neither_registry_nor_debian_tools_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match="apt install mmdebstrap"):
        debian_base.debian_tree(tmp_path / "base.tar", print)


def test_a_daemon_of_another_architecture_is_told() -> None:
    debian_base.check_architecture(os.uname().machine)
    with pytest.raises(SandboxError, match="riscv64"):
        debian_base.check_architecture("riscv64")


def test_without_a_daemon_nothing_is_built(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match=r"/nonexistent/docker\.sock"):
        build_image(url="unix:///nonexistent/docker.sock", home=tmp_path)


def test_where_a_registry_answers_the_base_is_pinned_by_its_digest(engine: DockerEngine, small: Path, tmp_path: Path,
                                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """No registry is in reach of the tests: its two answers are given by hand, the image pulled is a local one."""
    digest = "sha256:" + "ab" * 32
    asked: list[str] = []

    class Registry:
        def __init__(self, real: object) -> None:
            self._real = real

        def inspect_distribution(self, name: str) -> dict[str, dict[str, str]]:
            asked.append(f"resolve {name}")
            return {"Descriptor": {"digest": digest}}

        def pull(self, name: str) -> None:
            asked.append(f"pull {name}")

        def __getattr__(self, name: str) -> object:
            return getattr(self._real, name)

    honest_api, honest_inspect = Daemon.api, Daemon.inspect_image
    base = engine.image().id
    monkeypatch.setattr(Daemon, "api", lambda self, **kw: Registry(honest_api(self, **kw)))
    monkeypatch.setattr(Daemon, "inspect_image", lambda self, name: honest_inspect(self, base if digest in name else name))
    made = build_image(small, home=tmp_path, choose=False)
    slim = f"python:{python_minor()}-slim"
    assert asked == [f"resolve {slim}", f"pull python@{digest}"]
    assert made.base == f"{slim}@{digest}"
    assert recorded_image(tmp_path) is None


def test_the_record_that_is_damaged_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / f"image-{python_minor()}.json").write_text("[]")
    with pytest.raises(SandboxError, match="fumehood sandbox build"):
        recorded_image(tmp_path)


def test_the_dockerfile_builds_from_a_digest_and_installs_nothing() -> None:
    text = (Path(image_module.__file__).parent / "Dockerfile").read_text()
    assert "FROM ${PYTHON_IMAGE}" in text
    assert "pip install" not in text
    assert "apt" not in text
    assert read_requirements(None)[1]
