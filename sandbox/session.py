"""A session: one workspace, one sandbox at a time, the programs of one run one after another."""

import hashlib
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from .admission import Turn
from .capture import Captured
from .collect import collect, from_printable
from .ending import executed
from .engine import PROGRAM_BYTES, Engine
from .errors import BadRequest, SandboxFailed, StateLost
from .evidence import Artifact, Evidence, LimitsEvidence, RejectedArtifact
from .execution import Execution
from .hosted_run import HostedRun, OnOutput
from .limits import Limits
from .manifest import Manifest
from .observed import evidence_of, limits_evidence, rlimits_for
from .sandbox import Sandbox, Source, start
from .surroundings import recorded
from .tooling import Permit, Tool, ToolDesk

_PROGRAM_BYTES = PROGRAM_BYTES // 2
"""Of one; the folder for programs also holds those of earlier steps."""


class RunOptions(BaseModel):
    """How the programs of one session run, beside their limits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: Literal["fresh", "files", "process"] = "files"
    """What stays between programs: nothing, the workspace, or also the variables."""
    timezone: str = "UTC"
    """A name of the IANA database."""
    hash_seed: int = Field(default=0, ge=0, le=4294967295)
    seed: int | None = Field(default=None, ge=0)
    """Seeds `random` and numpy's global generator; null draws fresh randomness."""
    frozen_time: float | None = None
    """Seconds since 1970 at which the clock of the program stands; null lets it go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What came of one program."""

    execution: Execution
    evidence: Evidence
    delivered: str | None
    """JSON text of the last final_answer(value); null when the program called it never."""
    stdout_path: Path
    """All bytes of stdout up to `output_kb`."""
    stderr_path: Path
    notes: list[str]
    """What happened to the session's state before this program: rebuilt, inputs restored."""


class Session:
    """Runs programs in sandboxes of one engine. Safe to use from several threads, one call at a time.

    What ended is rebuilt before the next program: a new sandbox gets the inputs and the files of the last collection,
    variables (state `process`) come back by running the completed programs again. The report's notes say so.
    """

    def __init__(self, engine: Engine, *, limits: Limits, manifest: Manifest, run_id: str, options: RunOptions,
                 preload: Sequence[str], source: Source) -> None:
        self.engine = engine
        self.limits = limits
        self.manifest = manifest
        self.options = options
        self._run_id = run_id
        self._preload = tuple(preload)
        self._source = source
        self._lock = threading.RLock()
        self._sandbox: Sandbox | None = None
        self._files: dict[str, tuple[Path, str]] = {}
        self._given: dict[str, Path] = {}
        self._steps: list[str] = []
        self._worker_alive = False
        self._used = False
        self._changed_inputs = False
        self._cancelled: Sandbox | None = None
        self._cancels = self._cancels_known = 0
        self._turn = Turn(lambda: self._cancels != self._cancels_known)
        self._closed = False

    @classmethod
    def open(cls, engine: Engine, *, limits: Limits, manifest: Manifest, run_id: str,
             options: RunOptions | None = None, preload: Sequence[str] = (), source: Source = start) -> "Session":
        """Start a sandbox and send the inputs into it. Raises EngineUnavailable, LimitsNotEnforced, InputChanged (an
        input's bytes are not the recorded ones), BadRequest (unknown time zone), SandboxFailed."""
        session = cls(engine, limits=limits, manifest=manifest, run_id=run_id, options=options or RunOptions(),
                      preload=preload, source=source)
        with session._turn.taken(first=False):
            session._ensure()
        return session

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, program: str, *, folder: Path, limits: Limits | None = None, on_output: OnOutput | None = None,
            tools: Mapping[str, Tool] | None = None, permit: Permit | None = None, tool_budget: int = 100) -> RunReport:
        """Run one program; its stdout and stderr go to fresh files in `folder`.

        `limits`: for this program, never above the session's. Whatever the program does is in the report; raises
        StateLost when variables cannot be rebuilt, and what `open` raises where a new sandbox was needed.
        """
        desk = ToolDesk(tools or {}, permit, tool_budget)
        bounded = limits.within(self.limits) if limits is not None else self.limits
        with self._lock, self._admitted():
            notes = self._prepare()
            report = self._run(program, bounded, folder, on_output, desk, notes)
            if self.options.state == "process" and report.execution.outcome == "completed" and self._worker_alive:
                self._steps.append(program)
            return report

    def collect(self, folder: Path, *, known: Mapping[str, str] | None = None,
                ) -> tuple[list[Artifact], list[RejectedArtifact]]:
        """Regular files that programs made or changed, written below `folder`; and what was refused, with reasons.

        `known`: workspace path to sha256 of files that need not be sent again; they are in no list. Links, devices,
        pipes, inputs and files over the workspace limit are never collected. Raises SandboxFailed.
        """
        with self._lock:
            sandbox = self._sandbox
            if sandbox is None:
                raise SandboxFailed("there is no sandbox to collect files from: it ended")
            try:
                artifacts, rejected, present = collect(sandbox.channel, folder, known or {}, self.limits)
            except BaseException:
                self._lose()
                raise
            arrived = {artifact.path: (folder / artifact.stored, artifact.sha256) for artifact in artifacts}
            self._files = {path: kept for path, kept in (self._files | arrived).items() if path in present}
            return artifacts, rejected

    @property
    def alive(self) -> bool:
        """Whether there is a sandbox now; one that ended is replaced before the next program."""
        return self._sandbox is not None

    @property
    def files(self) -> frozenset[str]:
        """Workspace paths of every file as of the last collection or restoration, inputs excluded."""
        return frozenset(self._files)

    def restore(self, files: Mapping[str, Path], programs: Sequence[str] = ()) -> None:
        """Rebuild in this new session what an earlier one had: the completed programs of a session with state `process`
        run again, in order, then files are put (path, as an Artifact has it, to a host file). Raises StateLost when a
        program does not complete, SandboxFailed."""
        with self._lock, self._admitted():
            self._files = {path: (source, _sha256(source)) for path, source in files.items()}
            self._steps = list(programs)
            self._rebuild(self._ensure())

    def put(self, path: str, content: bytes) -> None:
        """Write one file of the workspace, as a program could have done. Raises SandboxFailed."""
        with self._lock:
            self._ensure().put_bytes(path, content)

    def give(self, path: str, source: Path) -> None:
        """Add one file to the workspace, now and in every sandbox that takes this one's place, with state `fresh` too.
        Raises SandboxFailed where there is no room for it, or all that was given would fill half of the workspace."""
        with self._lock:
            size = sum(given.stat().st_size for given in {**self._given, path: source}.values())
            if size > self.limits.workspace_mb * 2**20 // 2:
                raise SandboxFailed(f"the file {path} would fill the workspace")
            if self._sandbox is not None:
                self._sandbox.put_file(path, source)
            self._given[path] = source

    def execute(self, argv: Sequence[str], *, folder: Path, limits: Limits | None = None, cwd: str | None = None,
                environment: Mapping[str, str] | None = None, stdin: bytes = b"") -> RunReport:
        """The primitive of conformance suites: a command in the sandbox, inside the same walls. No node calls it."""
        with self._lock, self._admitted():
            self._ensure()
            command = {"argv": list(argv), "cwd": cwd, "environment": dict(environment or {})}
            return self._run(stdin, limits or self.limits, folder, None, ToolDesk({}), [], command)

    def cancel(self) -> None:
        """End the program that runs now or waits for its turn, from another thread, with its whole sandbox."""
        self._cancels += 1
        self._turn.wake()
        self._cancelled = sandbox = self._sandbox
        if sandbox is not None:
            sandbox.launched.kill()

    @contextmanager
    def _admitted(self) -> Iterator[None]:
        """A processor's turn. Raises SandboxFailed where the session is cancelled before it comes."""
        self._cancels_known = known = self._cancels
        with self._turn.taken(first=self._sandbox is not None):
            if self._cancels != known:
                raise SandboxFailed("the program was cancelled while it waited for a processor")
            yield

    def close(self) -> None:
        """End the sandbox. The session cannot be used afterwards."""
        self.cancel()
        with self._lock:
            self._closed = True
            self._lose()

    def _ensure(self) -> Sandbox:
        if self._closed:
            raise SandboxFailed("this session is closed")
        if self._sandbox is None:
            self._sandbox = self._source(self.engine, limits=self.limits, manifest=self.manifest, run_id=self._run_id,
                                         options=self.options, preload=self._preload)
            self._sandbox.make_folders(self.manifest)
            self._used = False
        return self._sandbox

    def _lose(self) -> None:
        sandbox, self._sandbox = self._sandbox, None
        self._worker_alive = False
        if sandbox is not None:
            sandbox.close()

    def _prepare(self) -> list[str]:
        """A sandbox that has what the options promise; what had to be done for that."""
        if self.options.state == "fresh":
            if self._used:
                self._lose()
            new = self._sandbox is None
            sandbox = self._ensure()
            return self._put_given(sandbox) if new else []
        notes = list[str]()
        if self._sandbox is not None and (self._sandbox is self._cancelled or self._sandbox.ended()):
            self._lose()  # it ended while nothing ran in it
        if self._sandbox is not None and self._changed_inputs:
            restored = self._sandbox.restore_inputs()
            notes.append(f"Inputs that a program had changed were put back: {', '.join(restored)}.")
        self._changed_inputs = False
        lost = self._sandbox is None
        sandbox = self._ensure()
        if lost:
            notes += self._put_given(sandbox)
        if self.options.state == "process" and self._steps and not self._worker_alive:
            notes.append(f"The process that held the variables had ended; they were rebuilt by running {len(self._steps)} "
                         "completed programs again.")
            self._replay()
        if lost:
            self._put_back(sandbox)
            notes.append(f"The sandbox had ended; {len(self._files)} files were put back from the last collection.")
        return notes

    def _rebuild(self, sandbox: Sandbox) -> None:
        self._replay()
        self._put_back(sandbox)

    def _put_back(self, sandbox: Sandbox) -> None:
        for path, (source, _) in self._files.items():
            sandbox.put_file(from_printable(path), source)

    def _put_given(self, sandbox: Sandbox) -> list[str]:
        """Put what the host gave; what there was no room for."""
        lacking = []
        for path, source in [*self._given.items()]:
            try:
                sandbox.put_file(path, source)
            except SandboxFailed:
                del self._given[path]
                lacking.append(path)
        return [f"There was no room for {', '.join(lacking)}."] if lacking else []

    def _replay(self) -> None:
        steps, self._steps = self._steps, []
        with tempfile.TemporaryDirectory(prefix="fumehood-replay-") as folder:
            for number, program in enumerate(steps, 1):
                report = self._run(program, self.limits, Path(folder), None, ToolDesk({}), [])
                if report.execution.outcome != "completed":
                    raise StateLost(f"the variables of earlier steps are gone: program {number} of {len(steps)} did not "
                                    f"complete when it was run again. {report.execution.message}")
        self._steps = steps

    def _run(self, program: str | bytes, limits: Limits, folder: Path, on_output: OnOutput | None, desk: ToolDesk,
             notes: list[str], command: dict[str, Any] | None = None) -> RunReport:
        content = program.encode("utf-8") if isinstance(program, str) else program
        if len(content) > _PROGRAM_BYTES:
            raise BadRequest(f"{len(content)} bytes of program or command input are more than the {_PROGRAM_BYTES} that a "
                             "sandbox takes; put data into an input file")
        folder.mkdir(parents=True, exist_ok=True)
        sandbox = self._ensure()
        self._used = True
        streams = {"stdout": Captured(folder / "stdout.txt"), "stderr": Captured(folder / "stderr.txt")}
        sandbox.launched.lower(limits)
        run = HostedRun(sandbox, limits, streams, on_output, desk, self._turn)
        stays = self.options.state == "process" and command is None
        try:
            facts = run.go(content, self._order(sandbox, limits, desk, len(content), stays, command))
        except SandboxFailed as error:
            execution = run.broken(error, limits)
            self._lose()
            return self._report(execution, None, None, sandbox, limits, folder, desk, notes)
        except BaseException:
            self._lose()
            raise
        finally:
            for stream in streams.values():
                stream.close()
        self._worker_alive = bool(facts["alive"])
        self._changed_inputs = bool(facts["changed_inputs"])
        execution = executed(facts, limits, oom_killed=run.oom_killed, forks_refused=run.forks_refused, **run.texts(facts),
                             warnings=[], mounted=sandbox.capabilities.mount_namespace)
        return self._report(execution, facts, run.answer, sandbox, limits, folder, desk, notes)

    def _order(self, sandbox: Sandbox, limits: Limits, desk: ToolDesk, size: int, stays: bool,
               command: dict[str, Any] | None) -> dict[str, Any]:
        capabilities = sandbox.capabilities
        output_bytes = limits.output_kb * 1024
        go = {"rlimits": rlimits_for(limits, capabilities), "environment": {"TZ": self.options.timezone},
              "seed": self.options.seed, "frozen_time": self.options.frozen_time, "tools": sorted(desk.tools),
              "answer_bytes": output_bytes, "stays": stays, "command": command}
        # Where the kernel holds the memory it is also the one to say that it was exceeded.
        watched = None if capabilities.memory == "hard" else limits.memory_mb * 2**20
        return {"op": "run", "bytes": size, "wall_s": limits.wall_s, "cpu_s": limits.cpu_s,
                "memory_bytes": watched, "processes": limits.processes, "files": limits.files,
                "output_bytes": output_bytes, "answer_bytes": output_bytes, "go": go}

    def _report(self, execution: Execution, facts: dict[str, Any] | None, answer: str | None, sandbox: Sandbox,
                limits: Limits, folder: Path, desk: ToolDesk, notes: list[str]) -> RunReport:
        if facts is None:
            held = LimitsEvidence(requested={k: float(v) for k, v in limits.model_dump().items()})
        else:
            held = limits_evidence(limits, sandbox.capabilities, facts, sandbox.launched.effective())
        evidence = evidence_of(
            engine=self.engine.name, runtime=sandbox.runtime, witness=sandbox.witness, manifest=self.manifest,
            report=facts["evidence"] if facts else {}, limits=held, environment=recorded(sandbox.environment),
            tool_calls=desk.calls)
        return RunReport(execution=execution, evidence=evidence, delivered=answer, stdout_path=folder / "stdout.txt",
                         stderr_path=folder / "stderr.txt", notes=notes)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
