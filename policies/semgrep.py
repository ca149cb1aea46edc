"""Semgrep as a process: one scan of one program, and an answer that is believed only when it is whole.

`semgrep-core` is called directly: 0.08 s where the command line needs 2 s, no ignore files, no suppression comments, no
size limit. Its flags are undocumented, so a start-up proof (proof.py) decides whether it may be used; else the command
line is. Whatever is not a complete answer about exactly the files given raises: GateUnavailable when the scanner or the
rules are at fault, NotScannable when the program is.
"""

import contextlib
import os
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .canonical import SENTINEL
from .core import (
    CANONICAL,
    INSTALL,
    MEMORY_MB,
    ORIGINAL,
    RULE_TIMEOUT_S,
    Binary,
    EarlyCore,
    core_arguments,
    make_folder,
    own_files,
    rules_document,
    targets_document,
)
from .errors import GateUnavailable
from .process import ScanEnded, ScanLate, ScanProcess, reap
from .rehearsal import REHEARSALS, REHEARSED
from .report import Scan, details_of, place_of, read_match, read_report, rule_of

TIMEOUT_S = 10.0
"""Seconds for a whole scan; the slowest program that passes the byte check needs 0.2."""
CLEAN = {CANONICAL: f"pass\n{SENTINEL}()\n"}
"""A program without any finding but the sentinel's."""
_AFTER_S = 0.02
"""Seconds that a verdict has to be handed over before the next core is started beside it."""


class NotScannable(Exception):
    """Semgrep was brought down or held up by these files, while it reads others. `str()` says what happened."""


class ScannerLost(NotScannable):
    """A core that was started ahead is gone, maybe not because of these files: scan them by a new one."""


class Scanner:
    """Scans with one compiled rule document, by the core or by the command line. Safe to use from several threads."""

    def __init__(self, binary: Binary, rules: Mapping[str, Any], *, use_core: bool, timeout_s: float = TIMEOUT_S,
                 early: EarlyCore | None = None) -> None:
        """`early`: serves the first scan, and is ended where it cannot. Raises GateUnavailable."""
        self.binary = binary
        self.use_core = use_core
        self.timeout_s = timeout_s
        document = rules_document(rules["rules"])
        self._owner = os.getpid()
        self._ready: list[_Waiting] = []
        self._early: list[EarlyCore] = []
        self._lock = threading.Lock()
        if early is not None and use_core and early.serves(document):
            self._folder, self._rules = early.folder, early.rules
            early.hand_over()
            self._early.append(early)
        else:
            if early is not None:
                early.close()
            self._folder = make_folder()
            self._rules = self._folder / "rules.json"
            with own_files():
                self._rules.write_text(document, encoding="utf-8")
        self._end = weakref.finalize(self, _clean_up, self._ready, self._early, self._folder, os.getpid())

    def usable(self) -> bool:
        """Whether its folder is still there, and it belongs to this process and not to the one this was forked from."""
        return self._owner == os.getpid() and self._rules.is_file()

    def close(self) -> None:
        """Ends what was started ahead and removes the scanner's folder. Also done when the interpreter ends."""
        with self._lock:
            self._end()

    def warm(self) -> None:
        """Starts a core ahead of the next program: it reads the rules and a program of ours, and waits. No-op for the
        command line."""
        with self._lock:
            if self.use_core and self._end.alive and self._owner == os.getpid() and not self._ready and not self._early:
                self._ready.append(self._wait(dict.fromkeys(REHEARSALS, REHEARSED)))

    def begin(self) -> "Scanning":
        """The scan of one program whose two files come one after the other. Raises GateUnavailable."""
        if not self.use_core:
            return Scanning(self, None)
        while self._owner == os.getpid():
            try:
                waiting = self._ready.pop()
            except IndexError:
                break
            if waiting.process.waits():
                return Scanning(self, waiting)
            waiting.process.leave()
            shutil.rmtree(waiting.folder, ignore_errors=True)
        early = self._take_early()
        if early is None:
            return Scanning(self, self._wait({}))
        paths = {str(early.scanned / name): name for name in (ORIGINAL, CANONICAL)}
        early.take_targets(paths)
        return Scanning(self, _Waiting(early.process, early.scanned, paths, early=True))

    def _take_early(self) -> EarlyCore | None:
        while self.use_core and self._early and self._owner == os.getpid():
            early = self._early.pop()
            if early.process.waits():
                return early
            early.process.leave()
        return None

    def scan(self, files: Mapping[str, str]) -> Scan:
        """Scans these files (name → text) by every rule. Names may have folders.

        Raises GateUnavailable and NotScannable.
        """
        with own_files():
            return self._scan(files)

    def _scan(self, files: Mapping[str, str]) -> Scan:
        early = self._take_early()
        if early is not None:
            with contextlib.suppress(ScanEnded, GateUnavailable):
                return self._scan_in(early.scanned, files, early)
        return self._scan_in(Path(tempfile.mkdtemp(dir=self._folder)), files)

    def _scan_in(self, folder: Path, files: Mapping[str, str], early: EarlyCore | None = None) -> Scan:
        try:
            paths = {}
            for name, text in files.items():
                path = folder / name
                path.parent.mkdir(exist_ok=True)
                path.unlink(missing_ok=True)
                path.write_bytes(text.encode("utf-8"))
                paths[str(path)] = name
            patience = self.timeout_s + 0.2 * len(files)
            if early is not None:
                early.take_targets(paths)
                output = early.process.answer(patience)
            elif self.use_core:
                output = ScanProcess(self._arguments(folder, paths), folder).answer(patience)
            else:
                output = self._run_command(list(paths), folder, patience)
            return self.interpret(output, paths)
        except ScanLate as late:
            if early is not None and isinstance(late, ScanEnded):
                raise
            if files != CLEAN and self.answers():
                raise NotScannable(str(late)) from late
            raise GateUnavailable(f"Semgrep does not work here: {late}") from late
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def answers(self) -> bool:
        """Whether the scanner works at all: if so, it was the program that brought it down."""
        try:
            return bool(self.scan(CLEAN).matches)
        except (GateUnavailable, NotScannable):
            return False

    def refill(self, *, after: Path) -> None:
        """Removes the folder of a scan that is over and does as `warm`, in a thread of its own, once the verdict has been
        handed over. What goes wrong there goes wrong again in the next scan, which says so."""
        def fill() -> None:
            time.sleep(_AFTER_S)
            shutil.rmtree(after, ignore_errors=True)
            with contextlib.suppress(GateUnavailable, OSError):
                self.warm()

        threading.Thread(target=fill, name="fumehood-gate-refill", daemon=True).start()

    def _wait(self, before: Mapping[str, str]) -> "_Waiting":
        """A core that scans the files `before`, then waits for those of a program."""
        with own_files():
            return self._started(before)

    def _started(self, before: Mapping[str, str]) -> "_Waiting":
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        try:
            for name, text in before.items():
                (folder / name).write_text(text, encoding="utf-8")
            paths = {str(folder / name): name for name in (*before, ORIGINAL, CANONICAL)}
            process = ScanProcess(self._arguments(folder, paths), folder,
                                  waits_for=[folder / ORIGINAL, folder / CANONICAL])
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return _Waiting(process, folder, paths)

    def _arguments(self, folder: Path, paths: Iterable[str]) -> list[str]:
        assert self.binary.core is not None
        listed = folder / "targets.json"
        listed.write_text(targets_document(paths), encoding="utf-8")
        return core_arguments(self.binary.core, self._rules, listed)

    def _run_command(self, paths: list[str], folder: Path, patience: float) -> bytes:
        if not self.binary.command:
            raise GateUnavailable(f"the command `semgrep` is not there: {INSTALL}")
        arguments = [*self.binary.command, "scan", "--config", str(self._rules), "--json", "--quiet", "--strict",
                     "--metrics", "off", "--disable-version-check", "--disable-nosem", "--max-target-bytes", "0",
                     "--x-ignore-semgrepignore-files", "--no-git-ignore", "--no-rewrite-rule-ids", "--oss-only",
                     "--jobs", "1", "--timeout", str(RULE_TIMEOUT_S), "--timeout-threshold", "0",
                     "--max-memory", str(MEMORY_MB), "--scan-unknown-extensions", *paths]
        return ScanProcess(arguments, folder, home=folder, bounded=False).answer(patience * 3)

    def interpret(self, output: bytes, paths: Mapping[str, str]) -> Scan:
        """`paths`: of each file that was to be scanned, to its name. Raises GateUnavailable."""
        report = read_report(output)
        if report["version"] != self.binary.version:
            raise GateUnavailable(f"semgrep-core says it is {report['version']!r}, the package is "
                                  f"{self.binary.version}: {INSTALL} again")
        skipped = report.get("skipped_rules", [])
        if skipped:
            raise GateUnavailable(f"Semgrep skipped the rule {rule_of(skipped[0])}: {details_of(skipped[0])}; correct it")
        failures: dict[str, str] = {}
        for error in report["errors"]:
            place = place_of(error)
            if place is None or place not in paths:
                raise GateUnavailable(f"Semgrep reports an error that is not about the program: {details_of(error)}")
            failures.setdefault(paths[place], details_of(error))
        scanned = report["paths"]["scanned"]
        if any(path not in paths for path in scanned):
            raise GateUnavailable("Semgrep says that it scanned files which it was not given")
        for path in set(paths) - set(scanned):
            failures.setdefault(paths[path], "Semgrep did not scan it")
        matches = [read_match(result, paths) for result in report["results"]]
        return Scan(matches=matches, scanned=[paths[path] for path in scanned], failures=failures)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A core that waits for a program."""

    process: ScanProcess
    folder: Path
    paths: dict[str, str]
    early: bool = False
    """Whether it may have failed because its rules came too late."""


class Scanning:
    """One program's scan under way: `give` the files as they are there, then take the `result`, or `abandon` it."""

    def __init__(self, scanner: Scanner, waiting: _Waiting | None) -> None:
        """`waiting`: null for the command line, which gets all files at once."""
        self._scanner = scanner
        self._waiting = waiting
        self._given: dict[str, str] = {}

    def give(self, name: str, text: str) -> None:
        """ORIGINAL first, then CANONICAL."""
        if self._waiting is None:
            self._given[name] = text
        else:
            with own_files():
                self._waiting.process.give(self._waiting.folder / name, text.encode("utf-8"))

    def result(self) -> Scan:
        """Raises GateUnavailable and NotScannable."""
        scanner, waiting = self._scanner, self._waiting
        if waiting is None:
            return scanner.scan(self._given)
        try:
            scan = scanner.interpret(waiting.process.answer(scanner.timeout_s), waiting.paths)
        except ScanLate as late:
            if waiting.early and isinstance(late, ScanEnded):
                raise ScannerLost(str(late)) from late
            if scanner.answers():
                raise (ScannerLost if isinstance(late, ScanEnded) else NotScannable)(str(late)) from late
            raise GateUnavailable(f"Semgrep does not work here: {late}") from late
        except GateUnavailable as error:
            if waiting.early:
                raise ScannerLost(str(error)) from error
            raise
        finally:
            scanner.refill(after=waiting.folder)
        return _without_rehearsal(scan)

    def abandon(self) -> None:
        """End it unheard."""
        if self._waiting is not None:
            self._waiting.process.leave()
            self._scanner.refill(after=self._waiting.folder)


def _without_rehearsal(scan: Scan) -> Scan:
    failed = [scan.failures[name] for name in REHEARSALS if name in scan.failures]
    if failed:
        raise GateUnavailable(f"Semgrep does not read our own program: {failed[0]}")
    return Scan(matches=[match for match in scan.matches if match.file not in REHEARSALS],
                scanned=[name for name in scan.scanned if name not in REHEARSALS], failures=scan.failures)


def _clean_up(ready: list[_Waiting], early: list[EarlyCore], folder: Path, owner: int) -> None:
    """`owner`: a forked copy of this process must not end what the original has started."""
    if os.getpid() == owner:
        for process in [*(one.process for one in ready), *(one.process for one in early)]:
            process.kill()
        ready.clear()
        early.clear()
        reap(wait=True)
        shutil.rmtree(folder, ignore_errors=True)
