"""What a terminal's Ctrl-C reaches: the caller's own process group, and no sandbox."""

import os
import sys

from fumehood.sandbox.bubblewrap import BubblewrapEngine
from fumehood.sandbox.engine import LaunchRequest
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.owner import owner_identity
from fumehood.sandbox.spawner import spawn


def test_a_spawned_process_has_a_session_of_its_own() -> None:
    read, write = os.pipe()
    process = spawn([sys.executable, "-c", "import os; print(os.getsid(0) == os.getpid())"], stdin=read, stdout=write,
                    stderr=write)
    try:
        assert process.wait() == 0
        assert os.read(read, 100) == b"True\n"
    finally:
        os.close(read)
        os.close(write)


def test_bwrap_is_in_no_group_of_its_caller(shared_environment: object) -> None:
    sandbox = BubblewrapEngine().launch(LaunchRequest(limits=Limits(), run_id="groups", owner=owner_identity()))
    try:
        assert os.getpgid(sandbox.pid) == os.getsid(sandbox.pid) == sandbox.pid
    finally:
        sandbox.close()
