"""The audit: whole lines, one chain, and the first bad line by its number."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fumehood.graph.audit import MAX_TEXT, Audit, BadLine, verify
from fumehood.graph.errors import StoreError


@pytest.fixture
def audit(tmp_path: Path) -> Audit:
    return Audit(tmp_path / "audit.jsonl")


def filled(audit: Audit, lines: int = 6) -> list[bytes]:
    for number in range(lines):
        audit.append("run", "program_judged", decision="allow", number=number)
    assert audit.verify() is None
    return audit.path.read_bytes().splitlines(keepends=True)


def test_lines_are_json_for_any_reader_whatever_is_in_them(audit: Audit) -> None:
    hostile = "line\nbreak \0 nul \x85\u2028 \ud800 \x1b[2J"
    audit.append("run", "approval_decided", by=hostile, seconds=float("nan"), huge=10**40, rules=["a\n", "b"], none=None)
    data = audit.path.read_bytes()
    assert data.count(b"\n") == 1
    assert all(32 <= byte < 127 for byte in data[:-1])
    entry = json.loads(data)
    assert entry["by"] == hostile
    assert entry["seconds"] == "nan"
    assert entry["rules"] == ["a\n", "b"]
    assert "none" not in entry
    assert audit.verify() is None
    assert audit.path.stat().st_mode & 0o777 == 0o600


def test_a_long_value_is_cut_and_named_by_its_digest(audit: Audit) -> None:
    audit.append("run", "x", text="secret" * 1000)
    text = next(audit.entries("run"))["text"]
    assert len(text) < MAX_TEXT + 80
    assert "sha256" in text


def test_a_field_cannot_replace_the_chain(audit: Audit) -> None:
    for name in ("hash", "prev", "seq", "event_x!", "A"):
        with pytest.raises(ValueError, match="cannot be a field"):
            audit.append("run", "x", **{name: "forged"})


Tamper = Callable[[list[bytes]], list[bytes]]


@pytest.mark.parametrize(("tamper", "line"), [
    (lambda lines: [*lines[:2], lines[2].replace(b'"allow"', b'"deny!"'), *lines[3:]], 3),
    (lambda lines: [*lines[:2], *lines[3:]], 3),
    (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2),
    (lambda lines: [*lines[:3], lines[2], *lines[3:]], 4),
    (lambda lines: [b"\n", *lines], 1),
    (lambda lines: [*lines[:3], b"{}\n", *lines[3:]], 4),
    (lambda lines: [lines[0].replace(b'"at":', b'"at": '), *lines[1:]], 1),
    (lambda lines: [lines[0][:-2] + b',"seq":1}\n', *lines[1:]], 1),
    (lambda lines: lines[1:], 1),
    (lambda lines: lines[:-1], 6),
    (lambda lines: lines[:3], 4),
    (lambda lines: [*lines[:-1], lines[-1][:20]], 6),
    (lambda lines: [], 1),
])
def test_tampering_is_found_at_its_line(audit: Audit, tamper: Tamper, line: int) -> None:
    audit.path.write_bytes(b"".join(tamper(filled(audit))))
    bad = audit.verify()
    assert bad is not None
    assert bad.line == line, bad


def test_a_rewritten_chain_is_found_by_the_head(audit: Audit, tmp_path: Path) -> None:
    filled(audit)
    forged = Audit(tmp_path / "forged.jsonl")
    for number in range(6):
        forged.append("run", "program_judged", decision="deny", number=number)
    audit.path.write_bytes(forged.path.read_bytes())
    assert verify(audit.path) is None, "the chain alone cannot tell"
    bad = audit.verify()
    assert bad is not None
    assert (bad.line, "rewritten" in bad.why) == (6, True)


def test_a_missing_file_or_head_is_said(audit: Audit) -> None:
    assert audit.verify() is None
    filled(audit)
    head = audit.path.with_name("audit.jsonl.head")
    kept = head.read_bytes()
    head.unlink()
    bad = audit.verify()
    assert bad is not None
    assert "is gone" in bad.why
    head.write_bytes(b"junk")
    assert audit.verify() is not None
    head.write_bytes(kept)
    assert audit.verify() is None
    audit.path.unlink()
    assert audit.verify() == BadLine(1, "the file is gone; it had 6 lines")


def test_a_line_after_the_head_is_what_a_kill_leaves(audit: Audit) -> None:
    filled(audit, 3)
    head = audit.path.with_name("audit.jsonl.head")
    before = head.read_bytes()
    audit.append("run", "x")
    head.write_bytes(before)
    assert audit.verify() is None
    audit.append("run", "y")
    assert audit.verify() is None


def test_a_torn_last_line_does_not_stop_the_next_one(audit: Audit) -> None:
    filled(audit, 3)
    with audit.path.open("ab") as handle:
        handle.write(b'{"half a li')
    audit.append("run", "after")
    assert audit.verify() is None
    assert [entry["seq"] for entry in audit.entries()] == [1, 2, 3, 4]


def test_append_once_survives_a_new_process(audit: Audit) -> None:
    assert audit.append_once("run", "judged:1", "program_judged") is True
    assert audit.append_once("run", "judged:1", "program_judged") is False
    assert audit.append_once("other", "judged:1", "program_judged") is True
    later = Audit(audit.path)
    assert later.append_once("run", "judged:1", "program_judged") is False
    assert later.append_once("run", "judged:2", "program_judged") is True
    assert audit.append_once("run", "judged:2", "program_judged") is True, "not asked to look again"
    audit.forget("run")
    assert audit.append_once("run", "judged:2", "program_judged") is False


def test_a_run_id_in_a_value_is_not_taken_for_the_run(audit: Audit) -> None:
    audit.append("a", "x", note="b")
    audit.append("b", "y", note="a")
    assert [entry["event"] for entry in audit.entries("a")] == ["x"]


def test_eight_processes_append_to_one_chain(audit: Audit) -> None:
    code = ("import sys; from pathlib import Path; from fumehood.graph.audit import Audit\n"
            "audit = Audit(Path(sys.argv[1]))\n"
            "for number in range(100): audit.append_once(sys.argv[2], f'k{number}', 'x', number=number)")
    writers = [subprocess.Popen([sys.executable, "-c", code, str(audit.path), f"run{name}"]) for name in range(8)]
    assert [writer.wait() for writer in writers] == [0] * 8
    assert audit.verify() is None
    entries = list(audit.entries())
    assert len(entries) == 800
    for name in range(8):
        assert [entry["number"] for entry in entries if entry["run_id"] == f"run{name}"] == list(range(100))


def test_an_audit_that_cannot_be_written_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nothing runs without it"):
        Audit(tmp_path / "nowhere" / "audit.jsonl").append("run", "x")


def test_a_full_disk_leaves_no_half_line(audit: Audit) -> None:
    filled(audit, 3)
    size = audit.path.stat().st_size
    code = ("import resource, signal, sys; from pathlib import Path; from fumehood.graph.audit import Audit\n"
            "from fumehood.graph.errors import StoreError\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))\n"
            "try: Audit(Path(sys.argv[1])).append('run', 'x')\n"
            "except StoreError as error: print(error)")
    for room in (0, 30):
        done = subprocess.run([sys.executable, "-c", code, str(audit.path), str(size + room)], check=True, text=True,
                              capture_output=True)
        assert "cannot be written" in done.stdout
        assert audit.path.stat().st_size == size
    assert audit.verify() is None
