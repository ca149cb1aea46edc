"""Faults of the scanner and the rules: every one must end in "nothing can be judged", none in an allowed program."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fumehood.policies import core
from fumehood.policies import gate as gate_module
from fumehood.policies.canonical import SENTINEL
from fumehood.policies.core import CANONICAL, ORIGINAL, Binary, find_semgrep
from fumehood.policies.errors import GateUnavailable, PolicyInvalid
from fumehood.policies.gate import Gate
from fumehood.policies.process import ScanProcess, environment
from fumehood.policies.profile import Policy, load_policy
from fumehood.policies.semgrep import CLEAN, NotScannable, Scanner, Scanning

EVAL = {"rules": [{"id": "no-eval", "languages": ["python"], "severity": "ERROR", "message": "no",
                   "pattern": "eval(...)"}]}
REAL = find_semgrep()


def fake(tmp_path: Path, body: str) -> Binary:
    """A core that is a Python script."""
    path = tmp_path / "semgrep-core"
    path.write_text(f"#!{sys.executable}\nimport sys, time, os, json\n{textwrap.dedent(body)}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Binary(version=REAL.version, core=path, command=None)


READ_TARGETS = """
    names = json.load(open(sys.argv[sys.argv.index("-targets") + 1]))[1]
    paths = [target[1]["path"]["fpath"] for target in names]
"""
BROKEN_CORES = {
    "prints {}": "print('{}')", "prints nothing": "", "prints text": "print('all clean')",
    "exits 139": "os.kill(os.getpid(), 11)",
    "says no": "sys.exit(2)",
    "wrong version": "print(json.dumps(dict(version='0.1', results=[], errors=[], paths=dict(scanned=[]))))",
    "empty and well-formed":
        f"print(json.dumps(dict(version={REAL.version!r}, results=[], errors=[], paths=dict(scanned=[]))))",
    "scanned, no sentinel": READ_TARGETS + f"""
    print(json.dumps(dict(version={REAL.version!r}, results=[], errors=[], paths=dict(scanned=paths))))""",
    "skips a rule": READ_TARGETS + f"""
    print(json.dumps(dict(version={REAL.version!r}, results=[], errors=[], paths=dict(scanned=paths),
                          skipped_rules=[dict(rule_id='no-eval', details='x')])))""",
    "error without a place": READ_TARGETS + f"""
    print(json.dumps(dict(version={REAL.version!r}, results=[], errors=[dict(message='x')], paths=dict(scanned=paths))))""",
    "list": "print('[]')",
    "results of another shape": f"print(json.dumps(dict(version={REAL.version!r}, results=[1], errors=[], "
                                                     "paths=dict(scanned=[]))))",
}


@pytest.mark.parametrize("body", BROKEN_CORES.values(), ids=BROKEN_CORES.keys())
def test_a_broken_core_judges_nothing(small_policy: Callable[..., Policy], tmp_path: Path, body: str,
                                      monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_module, "find_semgrep", lambda: fake(tmp_path, body))
    broken = Gate(small_policy(), home=tmp_path / "home")
    assert broken.unavailable()
    with pytest.raises(GateUnavailable):
        broken.judge("print(1)\n")
    assert not list((tmp_path / "home").rglob("*.json"))


def test_a_core_that_sleeps_is_killed_and_nothing_is_judged(tmp_path: Path) -> None:
    scanner = Scanner(fake(tmp_path, "time.sleep(600)"), EVAL, use_core=True, timeout_s=1)
    with pytest.raises(GateUnavailable, match="took too long"):
        scanner.scan(CLEAN)
    scanner.close()


def test_a_core_that_breaks_after_its_proof_judges_nothing_and_loses_the_proof(
        small_policy: Callable[..., Policy], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    policy = small_policy()
    assert Gate(policy, home=home).unavailable() is None
    proof = next(home.rglob("*.json"))
    broken = fake(tmp_path, "print('{}')")
    monkeypatch.setattr(gate_module, "find_semgrep", lambda: broken)
    monkeypatch.setattr(gate_module, "proof_key", lambda *_: proof.stem)
    gate = Gate(policy, home=home)
    assert gate.unavailable() is None
    with pytest.raises(GateUnavailable):
        gate.judge("print(1)\n")
    assert not proof.exists()


def test_a_missing_semgrep_is_said_with_the_way_out(small_policy: Callable[..., Policy],
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> str:
        raise core.importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(core.importlib.metadata, "version", missing)
    why = Gate(small_policy()).unavailable()
    assert why is not None
    assert "not installed" in why
    assert "pip install semgrep" in why


def test_a_core_that_cannot_be_started_is_said(tmp_path: Path, small_policy: Callable[..., Policy],
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = tmp_path / "semgrep-core"
    nothing.write_bytes(b"\x00")
    monkeypatch.setattr(gate_module, "find_semgrep", lambda: Binary(version=REAL.version, core=nothing, command=None))
    assert "cannot be started" in (Gate(small_policy()).unavailable() or "")


@pytest.mark.parametrize("text", [
    "rules: [", "rules: []", "just text",
    "rules: [{id: x, languages: [python], severity: ERROR, message: m, pattern: 'eval(...'}]",
    "rules: [{id: x, languages: [java], severity: ERROR, message: m, pattern: eval(...)}]",
    "rules: [{id: x, languages: [python], severity: ERROR, message: m, pattern: eval(...), paths: {exclude: ['*']}}]",
    "rules: [{id: x, languages: [python], severity: ERROR, message: m, pattern: pass}]",
])
def test_broken_rules_judge_nothing_and_are_named(small_policy: Callable[..., Policy], text: str) -> None:
    try:
        why = Gate(small_policy(text)).unavailable()
    except PolicyInvalid as error:
        why = str(error)
    assert why
    assert "x" in why or "rules" in why


@pytest.mark.parametrize("source", ["nofile.yml", "p/python", "auto", "https://semgrep.dev/p/python"])
def test_missing_and_remote_rules_are_invalid(source: str) -> None:
    with pytest.raises(PolicyInvalid):
        load_policy(extra_rules=[Path(source)])


def test_a_rule_whose_canary_does_not_fire_stops_the_gate(small_policy: Callable[..., Policy]) -> None:
    rule = "rules: [{{id: quiet, languages: [python], severity: ERROR, message: m, pattern: eval(...), " \
           "metadata: {{canary: {}}}}}]"
    assert "quiet" in (Gate(small_policy(rule.format("exec(1)"))).unavailable() or "")
    assert Gate(small_policy(rule.format("eval(1)"))).unavailable() is None
    assert "not Python" in (Gate(small_policy(rule.format("'eval('"))).unavailable() or "")


def test_every_shipped_rule_has_a_canary(policy: Policy) -> None:
    assert [rule.id for rule in policy.rule_set if not rule.definition.get("metadata", {}).get("canary")] == []


def test_the_command_line_takes_over_where_the_core_fails(small_policy: Callable[..., Policy], tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    broken = fake(tmp_path, "print('{}')")
    monkeypatch.setattr(gate_module, "find_semgrep",
                        lambda: Binary(version=REAL.version, core=broken.core, command=REAL.command))
    gate = Gate(small_policy())
    (tmp_path / ".semgrepignore").write_text("*\n")
    monkeypatch.chdir(tmp_path)
    verdict = gate.judge("import os\nos.system('id')  # nosemgrep\n")
    assert ("no-shell", 2) in {(finding.rule, finding.line) for finding in verdict.findings}
    assert gate.judge("match {'k': 1}:\n    case {'k': v, **rest}:\n        print(v)\n").decision == "allow"


@pytest.mark.parametrize("use_core", [True, False], ids=["core", "command line"])
def test_a_file_that_semgrep_drops_has_a_failure(use_core: bool) -> None:
    scanner = Scanner(REAL, EVAL, use_core=use_core)
    dropped = f"match d:\n    case {{'k': v, **rest}}:\n        eval(1)\n{SENTINEL}()\n"
    scan = scanner.scan({ORIGINAL: dropped, CANONICAL: f"eval(1)\n{SENTINEL}()\n"})
    scanner.close()
    assert ORIGINAL in scan.failures
    assert [(match.rule, match.line) for match in scan.matches_in(CANONICAL)] == [("no-eval", 1), (SENTINEL, 2)]


def test_too_many_matches_are_a_failure_and_no_clean_scan() -> None:
    scanner = Scanner(REAL, EVAL, use_core=True)
    scan = scanner.scan({CANONICAL: "eval(1)\n" * 3_000 + f"{SENTINEL}()\n"})
    scanner.close()
    assert CANONICAL in scan.failures or len(scan.matches_in(CANONICAL)) == 3_001


def test_a_program_that_brings_the_scanner_down_is_denied_and_others_are_not(tmp_path: Path) -> None:
    body = READ_TARGETS + f"""
    text = open(paths[-1]).read()
    if "boom" in text:
        os.kill(os.getpid(), 11)
    found = [dict(check_id={SENTINEL!r}, path=paths[-1], start=dict(line=2, col=1), end=dict(line=2, col=9),
                  extra=dict(message="m"))]
    print(json.dumps(dict(version={REAL.version!r}, results=found, errors=[], paths=dict(scanned=paths))))"""
    scanner = Scanner(fake(tmp_path, body), EVAL, use_core=True)
    with pytest.raises(NotScannable, match="signal 11"):
        scanner.scan({CANONICAL: "boom()\n"})
    assert scanner.scan({CANONICAL: "print(1)\n"}).failures == {}
    scanner.close()


def test_started_ahead_or_not_the_answer_is_the_same_and_serves_once() -> None:
    scanner = Scanner(REAL, EVAL, use_core=True)
    files = {ORIGINAL: "eval(1)\n", CANONICAL: f"eval(1)\n{SENTINEL}()\n"}
    cold = scanner.scan(files)
    for ahead in (True, True, False):
        if ahead:
            scanner.warm()
            scanner.warm()
            assert len(scanner._ready) == 1
        begun = begin(scanner, files)
        assert scanner._ready == []
        scan = begun.result()
        assert (scan.matches, scan.scanned, scan.failures) == (cold.matches, cold.scanned, cold.failures)
        scanner.close()
        scanner = Scanner(REAL, EVAL, use_core=True)
    scanner.close()


@pytest.mark.parametrize("wait_s", [0.0, 0.01, 0.1, 1.0])
@pytest.mark.parametrize("late", [ORIGINAL, CANONICAL])
def test_whenever_a_file_is_given_it_is_read_whole(late: str, wait_s: float) -> None:
    scanner = Scanner(REAL, EVAL, use_core=True)
    long = "x = 1\n" * 15_000 + f"eval(1)\n{SENTINEL}()\n"  # more than a pipe holds
    for ahead in (True, False):
        if ahead:
            scanner.warm()
        begun = scanner.begin()
        for name in (ORIGINAL, CANONICAL):
            if name == late:
                time.sleep(wait_s)
            begun.give(name, long)
        found = {(match.file, match.rule, match.line) for match in begun.result().matches}
        assert found == {(name, rule, line) for name in (ORIGINAL, CANONICAL)
                         for rule, line in (("no-eval", 15_001), (SENTINEL, 15_002))}
    scanner.close()


def test_a_file_that_is_never_given_is_no_clean_one() -> None:
    scanner = Scanner(REAL, EVAL, use_core=True)
    begun = scanner.begin()
    begun.give(ORIGINAL, f"{SENTINEL}()\n")
    assert begun.result().matches_in(CANONICAL) == []
    abandoned = scanner.begin()
    abandoned.give(ORIGINAL, "x = 1\n")
    abandoned.abandon()
    assert abandoned._waiting is not None
    until = time.monotonic() + 30
    while abandoned._waiting.folder.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert not abandoned._waiting.folder.exists()
    scanner.close()
    assert not scanner._folder.exists()


def test_what_the_core_says_of_our_own_program_is_nobodys_finding() -> None:
    text = "json.loads(...)\n"
    rules = {"rules": [{**EVAL["rules"][0], "id": "imports", "pattern": "import json"}]}
    scanner = Scanner(REAL, rules, use_core=True)
    scanner.warm()
    begun = begin(scanner, {ORIGINAL: text, CANONICAL: f"{text}{SENTINEL}()\n"})
    assert [(match.rule, match.file) for match in begun.result().matches] == [(SENTINEL, CANONICAL)]
    scanner.close()


def begin(scanner: Scanner, files: dict[str, str]) -> Scanning:
    begun = scanner.begin()
    for name, text in files.items():
        begun.give(name, text)
    return begun


def test_nothing_is_left_when_a_scanner_closes() -> None:
    scanner = Scanner(REAL, EVAL, use_core=True)
    scanner.warm()
    process, folder = scanner._ready[0].process, scanner._folder
    scanner.close()
    assert process._process.poll() is not None
    assert not folder.exists()


def test_a_forked_copy_feeds_no_core_of_the_original() -> None:
    scanner = Scanner(REAL, EVAL, use_core=True)
    scanner.warm()
    copy = os.fork()
    if copy == 0:
        status = 1
        try:
            scan = begin(scanner, {ORIGINAL: "x = 1\n", CANONICAL: f"x = 1\n{SENTINEL}()\n"}).result()
            status = 0 if [match.rule for match in scan.matches] == [SENTINEL] else 2
        finally:
            os._exit(status)
    assert os.waitpid(copy, 0)[1] == 0
    scan = begin(scanner, {ORIGINAL: "eval(1)\n", CANONICAL: f"eval(1)\n{SENTINEL}()\n"}).result()
    assert {(match.file, match.rule) for match in scan.matches} == {
        (ORIGINAL, "no-eval"), (CANONICAL, "no-eval"), (CANONICAL, SENTINEL)}
    scanner.close()


def test_a_forked_copy_holds_no_end_of_a_pipe_open() -> None:
    scanner = Scanner(REAL, EVAL, use_core=True)
    begun = scanner.begin()
    copy = os.fork()
    if copy == 0:
        try:
            time.sleep(60)
        finally:
            os._exit(0)
    begun.give(ORIGINAL, "x = 1\n")
    begun.give(CANONICAL, f"x = 1\n{SENTINEL}()\n")
    try:
        assert [match.rule for match in begun.result().matches] == [SENTINEL]
    finally:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
        scanner.close()


def test_a_scanner_whose_folder_is_gone_is_started_anew(small_policy: Callable[..., Policy]) -> None:
    gate = Gate(small_policy())
    gate.warm()
    assert gate._scanner is not None
    until = time.monotonic() + 30
    while gate._scanner._folder.exists() and time.monotonic() < until:  # a thread may still write into it
        shutil.rmtree(gate._scanner._folder, ignore_errors=True)
    assert not gate._scanner._folder.exists()
    assert gate.judge("print(1)\n").decision == "allow"
    assert gate.judge("import os\nos.system('id')\n").decision == "deny"
    gate.close()


def test_a_core_that_was_killed_denies_no_program(small_policy: Callable[..., Policy],
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(small_policy())
    gate.warm()
    assert gate._scanner is not None
    waiting = gate._scanner._ready[0].process._process
    os.kill(waiting.pid, signal.SIGKILL)
    waiting.wait()
    assert gate.judge("print(1)\n").decision == "allow"

    def begin_and_lose(scanner: Scanner) -> Scanning:
        begun = real(scanner)
        assert begun._waiting is not None
        os.kill(begun._waiting.process._process.pid, signal.SIGKILL)
        return begun

    real = Scanner.begin
    monkeypatch.setattr(Scanner, "begin", begin_and_lose)
    assert gate.judge("print(2)\n").decision == "allow"
    verdict = gate.judge("import os\nos.system('id')\n")
    assert "no-shell" in {finding.rule for finding in verdict.findings}
    gate.close()


def test_places_that_cannot_be_written_are_said_or_done_without(small_policy: Callable[..., Policy], tmp_path: Path,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(small_policy(), home=Path(os.devnull) / "home")
    assert gate.judge("print(1)\n").decision == "allow"
    gate.close()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    why = Gate(small_policy()).unavailable() or ""
    assert "cannot be written" in why
    assert str(tmp_path / "missing") in why


def test_a_core_waiting_ahead_ends_when_its_owner_is_killed(tmp_path: Path) -> None:
    script = textwrap.dedent("""
        import sys, time
        from fumehood.policies.core import find_semgrep
        from fumehood.policies.semgrep import Scanner
        rule = dict(id="e", languages=["python"], severity="ERROR", message="m", pattern="eval(...)")
        scanner = Scanner(find_semgrep(), {"rules": [rule]}, use_core=True)
        scanner.warm()
        print(scanner._ready[0].process._process.pid, flush=True)
        time.sleep(600)
    """)
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    waiting = int(owner.stdout.readline())
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and _alive(waiting):
        time.sleep(0.05)
    assert not _alive(waiting)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_the_scan_sees_no_secrets_and_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("SEMGREP_APP_TOKEN", "t")
    process = ScanProcess([str(fake(tmp_path, "print(json.dumps(dict(os.environ)))").core)], tmp_path)
    seen = json.loads(process.answer(20))
    assert not {"OPENAI_API_KEY", "SEMGREP_APP_TOKEN"} & set(seen)
    assert seen["SEMGREP_SEND_METRICS"] == "off"
    assert seen["HOME"] == str(tmp_path)


def test_the_scan_trusts_no_server_and_needs_no_anchors_of_the_system() -> None:
    anchors = Path(environment(Path("/nowhere"))["SSL_CERT_FILE"])
    assert anchors.read_text("ascii").count("BEGIN CERTIFICATE") == 1
    assert "PRIVATE" not in anchors.read_text("ascii")
    core = subprocess.run([str(REAL.core), "-rules", "/nowhere.json", "-targets", "/nowhere.json"], capture_output=True,
                          text=True, check=False, env={**environment(Path("/nowhere")), "SSL_CERT_FILE": "/nowhere.pem"})
    assert "trust anchor" in core.stderr, "the core reads no anchors any more: then nobody.pem is not needed"


def test_the_scan_is_bounded_by_the_kernel(tmp_path: Path) -> None:
    body = """
    import resource
    open("waits.py").read()
    print(json.dumps([resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_DATA)]))"""
    process = ScanProcess([str(fake(tmp_path, body).core)], tmp_path, waits_for=[tmp_path / "waits.py"])
    process.give(tmp_path / "waits.py", b"pass")
    bounds = json.loads(process.answer(20))
    assert all(0 < hard < 1 << 40 for _, hard in bounds)
    assert os.getpid() != process._process.pid
