"""semgrep-core: where it is, how it is called, and how it is started before its rules are known.

The command line takes 2 s where the core takes 0.1, two thirds of it for its own start: a new process starts one first, and
reads its policy from the files meanwhile, in half that time. The core looks for its rules when it has started, and for
its targets after them: these may come later, through a pipe; those may not, and where it comes first it ends.
"""

import contextlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .canonical import SENTINEL
from .errors import GateUnavailable
from .process import ScanProcess, reap

ORIGINAL, CANONICAL = "main.py", "canonical.py"
SENTINEL_RULE = {"id": SENTINEL, "languages": ["python"], "severity": "INFO", "message": "end of the program",
                 "pattern": f"{SENTINEL}()"}
RULE_TIMEOUT_S = 3
MEMORY_MB = 1024
INSTALL = "install it with `pip install semgrep`, or run `uv sync`"
_MATCHES = 1000


@dataclass(frozen=True, slots=True)
class Binary:
    """Where Semgrep is. `core` is null where only the command line can be used."""

    version: str
    core: Path | None
    command: list[str] | None

    @property
    def identity(self) -> str:
        """Changes when another Semgrep is installed in its place."""
        if self.core is None:
            return self.version
        stat = self.core.stat()
        return f"{self.version} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}"


def find_semgrep() -> Binary:
    """The Semgrep of this environment, found without importing it. Raises GateUnavailable."""
    try:
        version = importlib.metadata.version("semgrep")
    except importlib.metadata.PackageNotFoundError as error:
        raise GateUnavailable(f"Semgrep is not installed: {INSTALL}") from error
    spec = importlib.util.find_spec("semgrep")
    folders = list(spec.submodule_search_locations or []) if spec else []
    core = next((path for folder in folders if (path := Path(folder, "bin", "semgrep-core")).is_file()), None)
    scripts = (Path(folder).parents[3] / "bin" / "semgrep" for folder in folders if len(Path(folder).parents) > 3)
    script = next((str(path) for path in scripts if path.is_file()), None) or shutil.which("semgrep")
    if core is None and script is None:
        raise GateUnavailable(f"Semgrep {version} is there without its programs: {INSTALL} again")
    return Binary(version=version, core=core, command=[script] if script else None)


@contextlib.contextmanager
def own_files() -> Iterator[None]:
    """Around work on the scanner's own files: what goes wrong with them is no fault of the program."""
    try:
        yield
    except OSError as error:
        raise GateUnavailable(f"Semgrep's files cannot be written ({error}); see that {tempfile.gettempdir()!r} can be "
                              "written and has room") from error


def make_folder() -> Path:
    """A new folder for a scanner's files. Raises GateUnavailable."""
    with own_files():
        return Path(tempfile.mkdtemp(prefix="fumehood-gate-"))


def rules_document(rules: Iterable[Mapping[str, Any]]) -> str:
    """What the core scans by: these rules, without what it does not read, and one that finds the sentinel."""
    return json.dumps({"rules": [{key: value for key, value in rule.items() if key != "metadata"}
                                 for rule in [*rules, SENTINEL_RULE]]})


def core_arguments(core: Path, rules: Path, targets: Path) -> list[str]:
    """The command: scan the files that the document `targets` names by the document `rules`, in one process."""
    return [str(core), "-json_nodots", "-j", "1", "-use_parmap", "-rules", str(rules), "-timeout", str(RULE_TIMEOUT_S),
            "-max_memory", str(MEMORY_MB), "-max_match_per_file", str(_MATCHES), "-targets", str(targets)]


def targets_document(paths: Iterable[str]) -> str:
    """Which files are scanned, in this order."""
    return json.dumps(["Targets", [["CodeTarget", {"path": {"fpath": path, "ppath": path}, "analyzer": "python",
                                                   "products": ["sast"]}] for path in paths]])


class EarlyCore:
    """A core that starts while nobody knows yet by which rules, and what. It serves one scan, of whichever files; should it
    fail, for whatever reason, that says nothing, and another has to scan them."""

    def __init__(self, core: Path) -> None:
        """Raises GateUnavailable."""
        self.folder = make_folder()
        """Becomes the scanner's own."""
        self.rules = self.folder / "rules.json"
        self.scanned = self.folder / "early"
        self._targets = self.scanned / "targets.json"
        self._document = ""
        try:
            with own_files():
                self.scanned.mkdir()
                self.process = ScanProcess(core_arguments(core, self.rules, self._targets), self.scanned,
                                           waits_for=[self._targets, self.scanned / ORIGINAL, self.scanned / CANONICAL])
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        self._end = weakref.finalize(self, _end, self.process, self.folder, os.getpid())

    def take_rules(self, document: str) -> None:
        """What it scans by, whole at once. Raises GateUnavailable."""
        part = self.rules.with_suffix(".part")
        with self._or_ended():
            part.write_text(document, encoding="utf-8")
            os.replace(part, self.rules)
        self._document = document

    def serves(self, document: str) -> bool:
        """Whether it still waits, and scans by these rules."""
        return self._document == document and self.process.waits()

    def hand_over(self) -> None:
        """From now on its process and folder are the caller's to end."""
        self._end.detach()

    def take_targets(self, paths: Iterable[str]) -> None:
        """What it scans: files below `scanned`, of which ORIGINAL and CANONICAL may come later. Raises GateUnavailable."""
        with self._or_ended():
            self.process.give(self._targets, targets_document(paths).encode("utf-8"))

    @contextlib.contextmanager
    def _or_ended(self) -> Iterator[None]:
        try:
            with own_files():
                yield
        except BaseException:
            self.process.leave()
            raise

    def close(self) -> None:
        """Ends it, where it has not been handed over."""
        self._end()


def start_early() -> EarlyCore | None:
    """A core that starts beside whatever its caller does now; null where there is none, which is said later, with words."""
    try:
        core = find_semgrep().core
        return EarlyCore(core) if core else None
    except GateUnavailable:
        return None


def _end(process: ScanProcess, folder: Path, owner: int) -> None:
    """`owner`: a forked copy of this process must not end what the original has started."""
    if os.getpid() == owner:
        process.kill()
        reap(wait=True)
        shutil.rmtree(folder, ignore_errors=True)
