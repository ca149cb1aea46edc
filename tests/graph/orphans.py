"""Who is left when a process was killed: this process adopts the orphans of its descendants and says what they are.

As a program: `orphans.py REPORT SECONDS COMMAND…` runs the command, writes its pid to REPORT.pid, and when it is dead waits
up to SECONDS for its descendants to end; command lines of what is left go to REPORT as a JSON list, and that is killed.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


def adopt() -> None:
    """From now on, orphaned descendants become children of this process instead of init's."""
    assert ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def children() -> dict[int, str]:
    """Living children by pid, with their command lines. Dead ones are reaped."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) != os.getpid():
            continue
        if state == "Z":
            os.waitpid(int(folder.name), 0)
        else:
            found[int(folder.name)] = command
    return found


def left_after(seconds: float) -> list[str]:
    """Command lines of descendants that outlive the time given; those are killed then."""
    deadline = time.monotonic() + seconds
    while children() and time.monotonic() < deadline:
        time.sleep(0.05)
    left = children()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return list(left.values())


def main() -> None:
    report, seconds, *command = sys.argv[1:]
    adopt()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    process = subprocess.Popen(command, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    Path(report + ".pid").write_text(str(process.pid))
    code = process.wait()
    Path(report).write_text(json.dumps(left_after(float(seconds))))
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
