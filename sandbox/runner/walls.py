"""Which walls runner and child wear: Landlock over both, privileges gone and the system call filter over the child."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

from . import confine, landlock, link, seccomp, workspace

_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@dataclass(frozen=True, slots=True, kw_only=True)
class Walls:
    """What is in force in one sandbox, worked out once by `build`."""

    read_only: tuple[str, ...]
    execute: tuple[str, ...]
    writable: tuple[str, ...]
    """What a program may write."""
    alone: bool
    """No namespaces around: the filter shuts what Landlock leaves open."""
    notify: bool
    """The kernel asks the runner about files, addresses and processes."""
    witness_lacks: str | None
    landlock: int
    """ABI, 0 where the kernel has none."""


def build(layout: workspace.Layout, *, alone: bool, read_only: list[str], execute: list[str]) -> Walls:
    """Close the runner itself in, and say what its children will wear. Empty lists mean: all but what is writable."""
    confine.set_non_dumpable()
    confine.close_to_reopening()
    if alone:
        confine.set_subreaper()
        confine.drop_capabilities()  # as root the runner would open for the program what its mode keeps shut
    writable = (layout.scratch, "/dev/shm", *_DEVICES) if not alone else (layout.scratch, *_DEVICES)
    if not execute:
        keep = {layout.scratch, layout.program, "/dev", "/proc", "/sys"}
        execute = [path for name in os.listdir("/") if (path := f"/{name}") not in keep]
    readable = tuple(read_only or ["/"])
    # The runner itself has to see what its children ask and how they fare; alone, they are not to.
    table = ("/proc",) if alone else ()
    abi = landlock.restrict_files((*readable, layout.program, *table), writable, execute)
    if alone and abi == 0:
        raise OSError("no Landlock here, and no other wall around the files")
    lacks = confine.witness_unavailable(alone=alone)
    return Walls(read_only=(*readable, layout.program), execute=tuple(execute), writable=writable, alone=alone,
                 notify=lacks is None, witness_lacks=lacks, landlock=abi)


def prepare() -> None:
    """Work out ahead what every clone of a fork server needs."""
    seccomp.child_filter(True, "notify", alone=False)


def confiner(walls: Walls) -> Callable[[link.ChildEnd], None]:
    """What a child calls on itself before it parks."""
    program = seccomp.child_filter(walls.notify, "refuse" if walls.alone else "notify", alone=walls.alone)

    def confine_child(end: link.ChildEnd) -> None:
        confine.set_death_signal(signal.SIGKILL)
        _first_to_go()
        landlock.restrict_files(walls.read_only, walls.writable, walls.execute)
        confine.set_dumpable(True)  # so that the runner, and only it, may read the arguments of calls
        confine.drop_capabilities()
        confine.set_no_new_privs()
        listener = confine.install_filter(program, walls.notify)
        # From here on nothing may open a file before the runner has the listener: nobody would answer.
        if walls.alone and listener >= 0:
            # Containers around it often forbid pidfd_getfd; and here sendmsg waits for nobody.
            end.send_descriptor(link.LISTENER, {"number": listener}, listener)
        else:
            end.send(link.LISTENER, {"number": listener})
        if end.receive() is None:
            os._exit(0)
        if listener >= 0:
            os.close(listener)

    return confine_child


def _first_to_go() -> None:
    """When a cgroup's memory runs out the kernel shall take the program, not the runner that has to say so."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:  # no /proc, or a read-only one: the runner is smaller anyway
        return
