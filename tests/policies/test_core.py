"""A core that is started before its policy is read: it saves time, and is never why a verdict is another one or none."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fumehood.policies import core as core_module
from fumehood.policies import gate as gate_module
from fumehood.policies.core import CANONICAL, ORIGINAL, EarlyCore, find_semgrep, rules_document
from fumehood.policies.errors import GateUnavailable, PolicyInvalid
from fumehood.policies.gate import Gate
from fumehood.policies.profile import Policy
from fumehood.policies.semgrep import Scanner

DENIED = "import os\nos.system('id')\n"


@pytest.fixture
def profile(small_policy: Callable[..., Policy]) -> str:
    return small_policy().source


@pytest.fixture
def home(tmp_path: Path, profile: str) -> Path:
    """Where the proof of the small policy's rules is."""
    place = tmp_path / "home"
    gate = Gate.load(profile, home=place)
    assert gate.unavailable() is None
    gate.close()
    return place


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[EarlyCore]:
    """All that are started early from here on."""
    cores: list[EarlyCore] = []

    def start() -> EarlyCore | None:
        made = core_module.start_early()
        cores.extend([made] if made else [])
        return made

    monkeypatch.setattr(gate_module, "start_early", start)
    return cores


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Folders of the scans from here on."""
    folders: list[Path] = []
    real = core_module.ScanProcess.__init__

    def begin(self: Any, arguments: list[str], folder: Path, **rest: Any) -> None:
        folders.append(folder)
        real(self, arguments, folder, **rest)

    monkeypatch.setattr(core_module.ScanProcess, "__init__", begin)
    return folders


def gone(early: EarlyCore) -> bool:
    """Whether neither its process nor its folder is left."""
    return early.process._process.poll() is not None and not early.folder.exists()


def rules_of(verdict: Any) -> set[str]:
    return {finding.rule for finding in verdict.findings}


@pytest.mark.parametrize("many", [False, True])
def test_it_serves_the_first_verdict(profile: str, home: Path, started: list[EarlyCore], processes: list[Path],
                                     many: bool) -> None:
    gate = Gate.load(profile, home=home)
    verdicts = gate.judge_many([DENIED.encode(), b"print(1)\n"]) if many else [gate.judge(DENIED)]
    assert rules_of(verdicts[0]) >= {"no-shell"}
    assert [verdict.decision for verdict in verdicts[1:]] == ["allow"] * many
    assert verdicts[0].scanned
    [early] = started
    assert processes[0] == early.scanned
    if many:
        assert len(processes) == 1, "another core did the work"
    gate.close()
    assert gone(early)


@pytest.mark.parametrize("many", [False, True])
def test_rules_that_come_too_late_for_it_are_enforced_by_another(profile: str, home: Path, started: list[EarlyCore],
                                                                 monkeypatch: pytest.MonkeyPatch, many: bool) -> None:
    def slowly(*arguments: Any, **rest: Any) -> Policy:
        started[0].process._process.wait(timeout=60)
        return real(*arguments, **rest)

    real = gate_module.load_policy
    monkeypatch.setattr(gate_module, "load_policy", slowly)
    gate = Gate.load(profile, home=home)
    verdicts = gate.judge_many([DENIED.encode(), b"print(1)\n"]) if many else [gate.judge(DENIED), gate.judge("print(1)\n")]
    assert rules_of(verdicts[0]) >= {"no-shell"}
    assert verdicts[1].decision == "allow"
    gate.close()
    assert gone(started[0])


@pytest.mark.parametrize("many", [False, True])
def test_a_core_that_ends_for_want_of_rules_denies_nothing(profile: str, home: Path, monkeypatch: pytest.MonkeyPatch,
                                                           many: bool) -> None:
    """It still starts when it gets its targets, and finds no rules then."""
    def keep(self: EarlyCore, document: str) -> None:
        self._document = document

    monkeypatch.setattr(EarlyCore, "take_rules", keep)
    gate = Gate.load(profile, home=home)
    [verdict] = gate.judge_many([b"print(1)\n"]) if many else [gate.judge("print(1)\n")]
    assert verdict.decision == "allow", verdict
    assert rules_of(gate.judge(DENIED)) >= {"no-shell"}
    gate.close()


@pytest.mark.parametrize("moment", ["rules", "targets"])
@pytest.mark.parametrize("many", [False, True])
def test_whenever_it_is_lost_the_verdict_is_the_same(profile: str, home: Path, started: list[EarlyCore],
                                                     monkeypatch: pytest.MonkeyPatch, many: bool, moment: str) -> None:
    def lose(self: EarlyCore, given: Any) -> None:
        real(self, given)
        os.kill(self.process._process.pid, signal.SIGKILL)

    real = getattr(EarlyCore, f"take_{moment}")
    monkeypatch.setattr(EarlyCore, f"take_{moment}", lose)
    gate = Gate.load(profile, home=home)
    [verdict] = gate.judge_many([DENIED.encode()]) if many else [gate.judge(DENIED)]
    assert rules_of(verdict) >= {"no-shell"}
    assert verdict.scanned
    assert gate.unavailable() is None
    gate.close()
    assert gone(started[0])


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("document", ["{", '{"rules": []}', ""])
def test_other_rules_than_the_policy_has_are_never_what_counts(profile: str, home: Path, monkeypatch: pytest.MonkeyPatch,
                                                              document: str, many: bool) -> None:
    def give_other(self: EarlyCore, _: str) -> None:
        real(self, document)

    real = EarlyCore.take_rules
    monkeypatch.setattr(EarlyCore, "take_rules", give_other)
    gate = Gate.load(profile, home=home)
    [verdict] = gate.judge_many([DENIED.encode()]) if many else [gate.judge(DENIED)]
    assert rules_of(verdict) >= {"no-shell"}
    gate.close()


@pytest.mark.parametrize("many", [False, True])
def test_with_rules_that_cannot_be_read_nothing_is_judged(profile: str, home: Path, monkeypatch: pytest.MonkeyPatch,
                                                       many: bool) -> None:
    """The core answers in JSON then, which is no answer."""
    def spoil(self: EarlyCore, document: str) -> None:
        real(self, document)
        self.rules.write_text("{")

    real = EarlyCore.take_rules
    monkeypatch.setattr(EarlyCore, "take_rules", spoil)
    gate = Gate.load(profile, home=home)
    with pytest.raises(GateUnavailable):
        gate.judge_many([DENIED.encode()]) if many else gate.judge(DENIED)
    gate.close()


def test_without_a_proof_it_is_proven_like_any_other(profile: str, tmp_path: Path, started: list[EarlyCore]) -> None:
    gate = Gate.load(profile, home=tmp_path / "new")
    assert rules_of(gate.judge(DENIED)) >= {"no-shell"}
    assert list((tmp_path / "new" / "gate").iterdir())
    gate.close()
    assert gone(started[0])


def test_a_policy_that_is_wrong_leaves_nothing_running(tmp_path: Path, started: list[EarlyCore]) -> None:
    (tmp_path / "wrong.toml").write_text("nonsense = 1\n")
    with pytest.raises(PolicyInvalid):
        Gate.load(str(tmp_path / "wrong.toml"))
    assert gone(started[0])


@pytest.mark.parametrize("close", [True, False])
def test_a_gate_that_judges_nothing_leaves_nothing_running(profile: str, home: Path, started: list[EarlyCore],
                                                           close: bool) -> None:
    gate = Gate.load(profile, home=home)
    early = started.pop()
    process, folder = early.process._process, early.folder
    if close:
        gate.close()
    del gate, early
    assert process.poll() is not None
    assert not folder.exists()


def test_a_forked_copy_neither_uses_nor_ends_it(profile: str, home: Path, started: list[EarlyCore]) -> None:
    gate = Gate.load(profile, home=home)
    copy = os.fork()
    if copy == 0:
        status = 1
        try:
            status = 0 if rules_of(gate.judge(DENIED)) >= {"no-shell"} else 2
            gate.close()
        finally:
            os._exit(status)
    assert os.waitpid(copy, 0)[1] == 0
    assert started[0].process.waits()
    assert rules_of(gate.judge(DENIED)) >= {"no-shell"}
    gate.close()


def test_the_core_still_waits_for_its_targets_and_not_for_its_rules(tmp_path: Path) -> None:
    """What the order of handing over rests on. Were rules waited for as well, they could come through a pipe too."""
    binary = find_semgrep()
    assert binary.core
    early = EarlyCore(binary.core)
    assert early.process._process.wait(timeout=60) != 0
    early.close()
    patient = EarlyCore(binary.core)
    patient.take_rules(rules_document([]))
    scanner = Scanner(binary, {"rules": []}, use_core=True, early=patient)
    time.sleep(1)
    assert patient.process.waits()
    scan = scanner.scan({CANONICAL: "pass\n", ORIGINAL: "pass\n"})
    assert sorted(scan.scanned) == [CANONICAL, ORIGINAL]
    scanner.close()
