"""How a program ended, argued from what the kernel and the runner measured. The program's own word decides nothing,
apart from what its exception was.

Hard-won: exit 137 can be chosen, a container can be OOM-killed and exit 0, a child's death by memory is not its
parent's, and text on stderr is no failure. So each outcome has one proof, in this order:

  the runner stopped it            timeout, memory, cpu, processes, files, output
  a signal, and the OOM counter    out_of_memory
  SIGXCPU, and the processor time  limit cpu
  a signal                         killed
  exit 0                           completed
  MemoryError                      out_of_memory
  ENOSPC, no file more fits        limit files
  ENOSPC, EFBIG                    limit disk
  EAGAIN from a fork or a thread   limit processes
  anything else                    error
"""

import signal
from typing import Any

from pydantic import ConfigDict, ValidationError

from .execution import Execution, ExecutionOutcome, LimitName, ProgramError
from .limits import Limits
from .runner.program import bounded

_OUTPUT = {"stdout": "stdout", "stderr": "stderr"}


def judge(facts: dict[str, Any], limits: Limits, *, oom_killed: bool, forks_refused: bool = False,
          ) -> tuple[ExecutionOutcome, LimitName | None, str]:
    """Outcome, limit and one sentence. `facts` is the runner's `ended` message; `oom_killed`: the kernel's counter of
    processes killed for memory rose during this run; `forks_refused`: its counter of processes not started did."""
    stopped, number, error = facts["stopped_by"], facts["signal"], _raised_error(facts["error"])
    if stopped in ("wall", "cpu") and forks_refused:
        return "limit", "processes", (f"The program asked for more processes and threads than the limit of "
                                      f"{limits.processes}, and went on asking until its time was used up.")
    if stopped is not None:
        return _stopped(stopped, limits)
    if number is not None:
        return _signalled(number, facts, limits, oom_killed)
    if facts["exit_code"] == 0:
        return "completed", None, "The program ran to its end."
    if error is not None:
        return _raised(error, limits, full=facts["scratch"]["files_free"] == 0)
    return "error", None, f"The program ended with exit code {facts['exit_code']}."


def _stopped(reason: str, limits: Limits) -> tuple[ExecutionOutcome, LimitName | None, str]:
    if reason == "wall":
        return "timeout", None, f"The program was stopped at the time limit of {_number(limits.wall_s)} s."
    if reason == "memory":
        return "out_of_memory", None, f"The program used more memory than the limit of {limits.memory_mb} MB."
    if reason == "cpu":
        return "limit", "cpu", f"The program used more processor time than the limit of {_number(limits.cpu_s)} s."
    if reason == "processes":
        return "limit", "processes", (f"The program had more processes and threads at once than the limit of "
                                      f"{limits.processes}.")
    if reason == "disk":
        return "limit", "disk", f"The program's files are larger than the limit of {limits.workspace_mb} MB."
    if reason == "files":
        return "limit", "files", f"The program made more files and folders than the limit of {limits.files}."
    if reason in _OUTPUT:
        return "limit", "output", f"The program wrote more to {reason} than the limit of {limits.output_kb} KB."
    return "killed", None, "The program was stopped because its caller asked for it."


def _signalled(number: int, facts: dict[str, Any], limits: Limits, oom_killed: bool,
               ) -> tuple[ExecutionOutcome, LimitName | None, str]:
    name = _signal_name(number)
    if number == signal.SIGKILL and oom_killed:
        return "out_of_memory", None, (f"The kernel killed the program because it used more memory than the limit of "
                                       f"{limits.memory_mb} MB.")
    # A program that sends itself SIGXCPU has not used the time. (The kernel's own two clocks differ by some percent.)
    if number in (signal.SIGXCPU, signal.SIGKILL) and facts["cpu_s"] >= limits.cpu_s * 0.8:
        return "limit", "cpu", f"The program used more processor time than the limit of {_number(limits.cpu_s)} s."
    shared = facts["shared"]
    if number == signal.SIGBUS and shared is not None and shared["free"] < 1024 * 1024:
        return "killed", None, (f"The program was killed by {name}: its shared memory (/dev/shm, "
                                f"{shared['bytes'] // 2**20} MB) is full.")
    return "killed", None, f"The program was killed by {name} (signal {number})."


class _Raised(ProgramError):
    """What the child said of its exception. The program can say the same, so it is checked like any other text."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    memory: bool = False
    disk: bool = False
    processes: bool = False


def _raised_error(told: Any) -> _Raised | None:
    if told is None:
        return None
    try:
        error = _Raised.model_validate(told)
    except ValidationError:
        return _Raised(type="unknown", message="the program garbled the report of its exception")
    return error.model_copy(update={
        "type": bounded(error.type, 200), "message": bounded(error.message), "traceback": bounded(error.traceback),
        "values": {bounded(name, 100): bounded(value, 200) for name, value in list(error.values.items())[:20]}})


def _raised(error: _Raised, limits: Limits, *, full: bool) -> tuple[ExecutionOutcome, LimitName | None, str]:
    at = f" in line {error.line}" if error.line else ""
    if error.memory:
        return "out_of_memory", None, (f"MemoryError{at}: the program asked for more memory than the limit of "
                                       f"{limits.memory_mb} MB allows.")
    if error.disk and full:
        return "limit", "files", (f"{error.type}{at}: the program made more files and folders than the limit of "
                                  f"{limits.files}.")
    if error.disk:
        return "limit", "disk", (f"{error.type}{at}: the program's files are larger than the limit of "
                                 f"{limits.workspace_mb} MB.")
    if error.processes:
        return "limit", "processes", (f"{error.type}{at}: the program wanted more processes and threads at once "
                                      f"than the limit of {limits.processes}.")
    if error.type == "SystemExit":
        return "error", None, f"The program ended with the message: {error.message}"
    return "error", None, f"{error.type}{at}{f': {error.message}' if error.message else ''}"


def executed(facts: dict[str, Any], limits: Limits, *, oom_killed: bool, forks_refused: bool, stdout: str, stderr: str,
             truncated: bool, warnings: list[str], mounted: bool = True) -> Execution:
    """The Execution of a run whose end the runner saw. `mounted`: whether the sandbox has a /tmp of its own."""
    outcome, limit, message = judge(facts, limits, oom_killed=oom_killed, forks_refused=forks_refused)
    if not mounted and outcome == "error" and "PermissionError" in message and "'/tmp/" in message:
        message += (". This engine mounts no /tmp: write below the working folder, or to the folder that TMPDIR names, as "
                    "tempfile does.")
    warned = list(warnings)
    if oom_killed and outcome == "completed":
        warned.append(f"The memory limit of {limits.memory_mb} MB was hit by a child process, which the kernel killed.")
    if facts["link_broken"]:
        warned.append(facts["link_broken"])
    if facts["changed_inputs"]:
        warned.append("The program changed inputs, which are read-only; the change is not kept: "
                      + ", ".join(facts["changed_inputs"][:10]))
    return Execution(
        outcome=outcome, limit=limit, error=_program_error(facts["error"]) if outcome != "completed" else None,
        exit_code=facts["exit_code"], signal=facts["signal"], stdout=stdout, stderr=stderr,
        stdout_bytes=facts["stdout_bytes"], stderr_bytes=facts["stderr_bytes"], truncated=truncated,
        wall_s=round(facts["wall_s"], 6), cpu_s=round(facts["cpu_s"], 6),
        peak_memory_bytes=facts["peak_memory_bytes"] or None, message=message, warnings=warned)


def _program_error(told: Any) -> ProgramError | None:
    error = _raised_error(told)
    return None if error is None else ProgramError(**{n: getattr(error, n) for n in ProgramError.model_fields})


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _number(value: float) -> str:
    return f"{value:g}"
