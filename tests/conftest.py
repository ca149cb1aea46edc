"""A whole installation for tests: a home of its own, the real gate, a real sandbox, a scripted model."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.chat import Reply
from fumehood.graph.drive import Driver
from fumehood.graph.live import Parts
from fumehood.graph.scripted import ScriptedChat
from fumehood.graph.settings import Settings
from fumehood.graph.state import Outcome
from fumehood.graph.task import Task, inputs_from
from fumehood.policies.gate import Gate
from fumehood.policies.profile import load_policy
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.engines import engine_named
from fumehood.sandbox.environment import build_environment
from fumehood.sandbox.packages import data_folder
from hypothesis import HealthCheck, settings

collect_ignore = ["corpus", "rules", "cases"]
"""Programs that are data, attacks among them: nothing here is ever imported, whatever its name."""

# How long an example takes says how busy the machine is, and decides nothing.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure() -> None:
    """A shell's background job ignores Ctrl-C and hands that on; programs that tests interrupt must hear it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_environment() -> Path:
    """The sandbox's Python environment, built once per machine and shared by every test home."""
    build_environment()
    return data_folder() / "environments"


@pytest.fixture(scope="session")
def usable() -> Callable[[str], Engine]:
    """The engine of that name; where it cannot be used the test is skipped, or fails if FUMEHOOD_REQUIRE_ENGINES asks."""

    def find(name: str) -> Engine:
        engine = engine_named(name)
        why = engine.unavailable()
        if why is not None:
            if name in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
                pytest.fail(f"{name} is required and not available: {why}")
            pytest.skip(why)
        return engine

    return find


@pytest.fixture(scope="session")
def shared_proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gate's proof under the default policy, made once instead of in each test's home."""
    home = tmp_path_factory.mktemp("proof")
    gate = Gate(load_policy(), home=home)
    try:
        assert gate.unavailable() is None
    finally:
        gate.close()
    return home / "gate"


@dataclass
class Bench:
    """Runs tasks in one home and remembers which nodes ran."""

    home: Path
    engines: list[str] = field(default_factory=lambda: ["bubblewrap"])
    nodes: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    chat: ScriptedChat = field(default_factory=lambda: ScriptedChat([]))
    driver: Driver | None = None
    run_id: str = ""

    def hear(self, event: Any) -> None:
        if event["mode"] == "tasks" and "input" in event["data"]:
            self.nodes.append(event["data"]["name"])
        elif event["mode"] == "custom":
            self.events.append(event["data"])

    def make(self, programs: list[str | Reply], plans: list[str | Reply] | None = None, **parts: Any) -> Driver:
        self.chat = ScriptedChat(programs, plans or [])
        self.driver = Driver(Settings(home=str(self.home), engines=self.engines),
                             Parts(chat=self.chat, **parts), on_event=self.hear)
        return self.driver

    def task(self, files: dict[str, bytes | Path] | None = None, **given: Any) -> Task:
        inputs = inputs_from(dict(files or {}), spool=self.home / "spool")
        return Task.model_validate({"goal": "compute it", "inputs": inputs, **given})

    def run(self, programs: list[str | Reply], plans: list[str | Reply] | None = None,
            files: dict[str, bytes | Path] | None = None, parts: dict[str, Any] | None = None, **given: Any) -> Outcome:
        self.nodes.clear()
        return self.make(programs, plans, **(parts or {})).start(self.task(files, **given))


@pytest.fixture
def home(tmp_path: Path, shared_environment: Path, shared_proof: Path) -> Path:
    """An empty home folder that has the sandbox's environment, and a gate that is proven."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "environments").symlink_to(shared_environment)
    shutil.copytree(shared_proof, folder / "gate")
    return folder


@pytest.fixture
def bench(home: Path) -> Iterator[Bench]:
    made = Bench(home)
    yield made
    if made.driver is not None:
        made.driver.live.close()


@pytest.fixture
def code() -> Callable[[str], str]:
    """A reply that holds one program."""
    return lambda text: f"```python\n{text}\n```"
