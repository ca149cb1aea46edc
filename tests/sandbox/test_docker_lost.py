"""A Docker daemon that dies while it is used: a second one of the test's own, never the host's."""

import os
import shutil
import signal
import subprocess
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from fumehood.graph.drive import Driver
from fumehood.graph.live import Parts
from fumehood.graph.scripted import ScriptedChat
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task
from fumehood.sandbox.bubblewrap import BubblewrapEngine
from fumehood.sandbox.daemon import OWNER_LABEL, Daemon
from fumehood.sandbox.docker import DockerEngine
from fumehood.sandbox.engine import LaunchRequest
from fumehood.sandbox.errors import EngineUnavailable
from fumehood.sandbox.image_record import Image, record_image
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.owner import owner_identity
from fumehood.sandbox.session import RunReport, Session

pytestmark = pytest.mark.docker


def _required(why: str) -> None:
    if "docker" in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
        pytest.fail(why)
    pytest.skip(why)


class OwnDaemon:
    """A dockerd with folders, socket and pid file of its own, and no network."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"unix://{folder}/docker.sock"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                # In a network namespace of its own: without a bridge it takes docker0 away from the host's daemon.
                ["unshare", "-n", "dockerd", "--data-root", str(self.folder / "data"),
                 "--exec-root", str(self.folder / "exec"), "--host", self.url, "--pidfile", str(self.folder / "pid"),
                 "--bridge=none", "--iptables=false"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        until = time.monotonic() + 60
        while Daemon(self.url).unreachable() is not None:
            assert time.monotonic() < until, (self.folder / "log").read_text()[-3000:]
            time.sleep(0.2)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        # Its containerd dies with it, but nobody reaps it here, and a new daemon would wait for its socket.
        (self.folder / "exec/containerd/containerd.pid").unlink()

    def end(self) -> None:
        """It, and what it left running."""
        if self.process is not None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(30)
            self.process.kill()
            self.process.wait()
        marker = str(self.folder).encode()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with suppress(OSError):
                    if marker in (entry / "cmdline").read_bytes():
                        os.kill(int(entry.name), signal.SIGKILL)
        time.sleep(0.5)
        for line in reversed(Path("/proc/mounts").read_text().splitlines()):
            place = line.split()[1]
            if place.startswith(str(self.folder)):
                subprocess.run(["umount", "-l", place], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnDaemon]:
    if os.geteuid() != 0 or shutil.which("dockerd") is None:
        _required("a second dockerd needs root and dockerd")
    why = DockerEngine().unavailable()
    if why is not None:
        _required(why)
    # A short path: a socket's has at most 107 characters.
    daemon = OwnDaemon(Path(tempfile.mkdtemp(prefix="fumehood-dockerd-")))
    try:
        daemon.start()
        record_image(_small_image(DockerEngine().image(), daemon), daemon.folder / "home")
        yield daemon
    finally:
        daemon.end()


def _small_image(image: Image, daemon: OwnDaemon) -> Image:
    """The sandbox image without its packages, brought over to the other daemon."""
    api = Daemon().api()
    container = api.create_container(image.id, command=["true"])["Id"]
    whole, small = daemon.folder / "whole.tar", daemon.folder / "small.tar"
    try:
        with whole.open("wb") as file:
            for chunk in api.export(container):
                file.write(chunk)
    finally:
        api.remove_container(container, force=True)
    with tarfile.open(whole) as source, tarfile.open(small, "w") as target:
        for entry in source:
            if "-packages/" not in entry.name:
                target.addfile(entry, source.extractfile(entry) if entry.isreg() else None)
    bare = Image(id="", python=image.python, executable=image.executable, packages={}, modules=[], requirements=None,
                 base="test")
    labels = " ".join(f"{name}={value or 'none'}" for name, value in bare.labels().items())
    imported = Daemon(daemon.url).api(timeout=120).import_image_from_file(  # type: ignore[no-untyped-call]
        str(small), repository="small", tag="1", changes=[f"LABEL {labels}"])
    assert "status" in imported, imported
    inspected = cast("dict[str, Any]", Daemon(daemon.url).inspect_image("small:1"))
    return Image(id=inspected["Id"], python=image.python, executable=image.executable, packages={}, modules=[],
                 requirements=None, base="test")


@pytest.fixture
def engine(own: OwnDaemon) -> Iterator[DockerEngine]:
    if own.process is None or own.process.poll() is not None:
        own.start()
    made = DockerEngine(url=own.url, home=own.folder / "home")
    assert made.unavailable() is None, made.unavailable()
    yield made
    if own.process is not None and own.process.poll() is not None:
        own.start()
    api = Daemon(own.url).api()
    for container in api.containers(all=True):
        api.remove_container(container["Id"], force=True)


def processes_of(container: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if container in (entry / "cgroup").read_text():
                    found.append(entry.name)
    return found


def test_daemon_killed_in_the_middle_of_a_run(own: OwnDaemon, engine: DockerEngine, tmp_path: Path) -> None:
    reports: list[RunReport] = []
    session = Session.open(engine, limits=Limits(wall_s=60, memory_mb=128), manifest=Manifest(), run_id="lost")
    sandbox = session._sandbox
    assert sandbox is not None
    container = sandbox.launched.id  # type: ignore[attr-defined]
    seen = threading.Event()
    runner = threading.Thread(target=lambda: reports.append(session.run(
        "import time\nprint('begun', flush=True)\ntime.sleep(50)", folder=tmp_path, on_output=lambda *_: seen.set())))
    runner.start()
    assert seen.wait(30)
    own.kill()
    begin = time.monotonic()
    runner.join(45)
    assert not runner.is_alive(), "the run hangs"
    assert time.monotonic() - begin < 45
    assert reports[0].execution.outcome == "sandbox_failed"
    session.close()
    until = time.monotonic() + 10
    while processes_of(container) and time.monotonic() < until:
        time.sleep(0.1)
    assert processes_of(container) == [], "the program went on"
    assert str(own.folder) in (engine.unavailable() or "")
    with pytest.raises(EngineUnavailable):
        engine.launch(LaunchRequest(limits=Limits(), run_id="after", owner=owner_identity()))
    own.start()
    sandbox_after = engine.launch(LaunchRequest(limits=Limits(), run_id="after", owner=owner_identity()))
    try:
        left = Daemon(own.url).api().containers(all=True, filters={"label": OWNER_LABEL})
        assert [entry["Id"] for entry in left] == [sandbox_after.id], "the container that could not be removed then is gone"
    finally:
        sandbox_after.close()


def test_image_removed_between_two_launches(own: OwnDaemon, engine: DockerEngine) -> None:
    image = engine.image()
    sandbox = engine.launch(LaunchRequest(limits=Limits(), run_id="image", owner=owner_identity()))
    sandbox.close()
    api = Daemon(own.url).api()
    saved = own.folder / "saved.tar"
    with saved.open("wb") as file:
        for chunk in api.get_image("small:1"):
            file.write(chunk)
    api.remove_image(image.id, force=True)
    try:
        with pytest.raises(EngineUnavailable, match="No such image"):
            engine.launch(LaunchRequest(limits=Limits(), run_id="image", owner=owner_identity()))
        why = DockerEngine(url=own.url, home=own.folder / "home").unavailable()
        assert why is not None
        assert image.id in why
    finally:
        with saved.open("rb") as file:
            list(api.load_image(file))


def test_daemon_stopped_between_two_steps_of_a_run(own: OwnDaemon, engine: DockerEngine, home: Path,
                                                   code: Callable[[str], str]) -> None:
    """The whole product: a step in Docker, then no daemon any more, the next in bubblewrap with the files."""
    turns: list[str] = []

    def hear(event: Any) -> None:
        if event["mode"] == "tasks" and "input" in event["data"]:
            turns.append(event["data"]["name"])
            if turns.count("generate") == 2 and event["data"]["name"] == "generate":
                own.kill()

    chat = ScriptedChat([code("open('half.txt', 'w').write('20')\nprint('half done')"),
                         code("final_answer(2 * int(open('half.txt').read()))")], [])
    driver = Driver(Settings(home=str(home), engines=["docker", "bubblewrap"]),
                    Parts(chat=chat, engines=[engine, BubblewrapEngine(home=home)]), on_event=hear)
    try:
        outcome = driver.start(Task.model_validate({"goal": "compute it", "result": {"type": "number"}}))
    finally:
        driver.live.close()
    assert (outcome.status, outcome.result) == ("answered", 40)
    engines = [attempt.evidence.engine for attempt in outcome.attempts if attempt.evidence is not None]
    assert engines == ["docker", "bubblewrap"]
    assert [skipped.engine for skipped in outcome.engines_skipped] == ["docker"]
    assert str(own.folder) in outcome.engines_skipped[0].why
