"""What a killed process left behind on this host: containers, control groups and folders of owners that are dead."""

from .cgroup import sweep_cgroups
from .errors import SandboxError
from .landlock import sweep_folders


def sweep_orphans() -> list[str]:
    """Remove the sandboxes of dead owners; their names. A live neighbour's is never touched.

    A daemon that cannot be asked is left for the next time: nothing waits for it here.
    """
    removed = [*sweep_cgroups(), *sweep_folders()]
    from .daemon import Daemon, sweep

    daemon = Daemon()
    if daemon.socket_path is None or not daemon.socket_path.is_socket() or daemon.unreachable() is not None:
        return removed
    try:
        return [*removed, *sweep(daemon)]
    except SandboxError:
        return removed
