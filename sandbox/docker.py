"""The Docker engine: the runner as PID 1 of a single-use container, on runc, gVisor or any OCI runtime by name."""

import os
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docker.errors import APIError, NotFound

from .attach import Attached
from .boot import runner_command
from .daemon import Daemon
from .docker_sandbox import DockerSandbox
from .engine import Capabilities, LaunchRequest
from .errors import EngineUnavailable, LimitsNotEnforced
from .floor import check_overrides, container_config
from .floor_probe import Floor, measured_floor
from .image_record import BUILD_COMMAND, Image, from_inspect, recorded_image

FOREIGN_LACKS = (
    "memory is counted for the sandbox as a whole: a child process that takes too much ends the program with it",
    "no Landlock in there: a program can write beside its own file in /program; the runner removes it before the next",
    "a program can open the pipes of its own output a second time through the runner's /proc, though not the runner's",
    "processor time is counted for processes that wait for a processor, too",
)

_ATTACH = {"stream": 1, "stdin": 1, "stdout": 1, "stderr": 1}


class DockerEngine:
    """Starts the runner in a container of the sandbox image.

    `runtime` is an OCI runtime that the daemon knows by name; None takes the daemon's default. `image` names a local
    image instead of the one that was built last. `overrides` are settings of floor.py that weaken nothing; any other
    raises BadRequest.
    """

    def __init__(self, runtime: str | None = None, *, image: str | None = None, home: Path | None = None,
                 url: str | None = None, overrides: Mapping[str, object] | None = None) -> None:
        self.name = f"docker:{runtime}" if runtime else "docker"
        self.daemon = Daemon(url)
        self.local = self.daemon.local
        self._runtime = runtime
        self._wanted = image
        self._home = home
        self._settings = check_overrides(overrides or {})
        self._lock = threading.Lock()
        self._image: Image | None = None
        self._info: dict[str, Any] = {}
        self._floor: Floor | None = None
        self._foreign = False
        self._leftovers: set[str] = set()

    def unavailable(self) -> str | None:
        """Null when it can be used, else why not and what to do. Never pulls, never contacts a registry."""
        reason = self.daemon.unreachable()
        if reason is not None:
            return reason
        try:
            with self._lock:
                self._find()
        except (EngineUnavailable, LimitsNotEnforced) as error:
            return str(error)
        return None

    def capabilities(self) -> Capabilities:
        """Measured by a container on the floor (once per image and runtime) and by what the daemon enforces."""
        with self._lock:
            self._find()
            floor, info = self._floor, self._info
        assert floor is not None
        lacks = ["CPU seconds are not counted by the cgroup, which bounds processors: the runner's watch holds them"]
        if not floor.memory_limited:
            lacks.append("no cgroup limits the memory here: the runner's watch holds it")
        if not info.get("SwapLimit"):
            lacks.append("the kernel does not account swap: memory may go there")
        if floor.foreign_kernel:
            lacks += FOREIGN_LACKS
        if not floor.sized_tmpfs:
            lacks.append("this runtime does not bound the size of the workspace")
        return Capabilities(
            network="namespace", pid_namespace=True, mount_namespace=True,
            witness="kernel" if floor.notifies else "interpreter",
            memory="hard" if floor.memory_limited else "soft", cpu="soft",
            processes="hard" if info.get("PidsLimit") and not floor.foreign_kernel else "soft",
            disk="hard" if floor.sized_tmpfs else "soft", foreign_kernel=floor.foreign_kernel, lacks=lacks,
        )

    def runtime(self) -> str:
        """The image's id, `sha256:…`."""
        with self._lock:
            return self._find().id

    def packages(self) -> Mapping[str, str]:
        return self.image().packages

    def image(self) -> Image:
        """The image that sandboxes are made of. Raises EngineUnavailable."""
        with self._lock:
            return self._find()

    def launch(self, request: LaunchRequest) -> DockerSandbox:
        """Start one container with the runner in it, which then waits for its sources on stdin."""
        with self._lock:
            image = self._find()
        self._remove_leftovers()
        return self._start(request, image, runner_command(image.executable))

    def _find(self) -> Image:
        """The image, checked once: it is there, its Python fits, the runtime exists, the floor holds."""
        if self._image is not None:
            return self._image
        wanted = self._wanted
        if wanted is None:
            recorded = recorded_image(self._home)
            if recorded is None:
                raise EngineUnavailable(f"Docker: the sandbox image is not built. Build it with `{BUILD_COMMAND}`.")
            wanted = recorded.id
        inspected = self.daemon.inspect_image(wanted)
        if inspected is None:
            raise EngineUnavailable(f"Docker: the image {wanted} is not on the daemon at {self.daemon.url} (nothing is "
                                    f"pulled). Build it with `{BUILD_COMMAND}`, or load it with `docker load`.")
        image = from_inspect(inspected)
        if image is None:
            raise EngineUnavailable(f"Docker: the image {wanted} was not made for sandboxes. Make one from it with "
                                    f"`{BUILD_COMMAND} --from {wanted}`.")
        unfit = image.unusable()
        if unfit:
            raise EngineUnavailable(f"Docker: the image {wanted} cannot be used: {unfit}.")
        volumes = inspected["Config"].get("Volumes")
        if volumes:
            raise EngineUnavailable(f"Docker: the image {wanted} declares volumes ({', '.join(volumes)}), which would "
                                    "be writable without bound. Build it without VOLUME.")
        info = self.daemon.info()
        known = sorted(info.get("Runtimes") or {})
        if self._runtime is not None and self._runtime not in known:
            raise EngineUnavailable(f"Docker: the daemon at {self.daemon.url} knows no runtime {self._runtime!r}, only "
                                    f"{', '.join(known)}. Install it and add it to \"runtimes\" in daemon.json.")
        self._info = info
        # Until it is measured, take the runtime for one that needs more room; the default one never does.
        self._foreign = self._runtime is not None
        self._floor = measured_floor(self, image, info, self._home)
        self._foreign = self._floor.foreign_kernel
        self._image = image
        return image

    def start_command(self, request: LaunchRequest, image: Image, command: list[str]) -> DockerSandbox:
        """Start a trusted command in place of the runner, on the same floor; for measuring images and floors."""
        return self._start(request, image, command)

    def config_for(self, request: LaunchRequest, image: Image, command: list[str]) -> dict[str, Any]:
        """The body of the request that makes the container."""
        info = self._info or self.daemon.info()
        return container_config(
            request, image=image.id, command=command, runtime=self._runtime, settings=self._settings,
            cgroup_version=str(info.get("CgroupVersion", "1")), cpus=int(info.get("NCPU") or 1),
            foreign_kernel=self._foreign,
        )

    def _start(self, request: LaunchRequest, image: Image, command: list[str]) -> DockerSandbox:
        config = self.config_for(request, image, command)
        api = self.daemon.api()
        container = None
        try:
            with self.daemon.errors("making a container"):
                container = api.create_container_from_config(config)["Id"]  # type: ignore[no-untyped-call]
            with self.daemon.errors("starting a container"):
                attached = Attached(_own_socket(api.attach_socket(container, _ATTACH)))
                try:
                    api.start(container)
                except BaseException:
                    attached.close()
                    raise
        except BaseException as error:
            if container is not None:
                self.remove(container)
            if isinstance(error, EngineUnavailable) and request.mounts and "bind source path" in str(error):
                raise EngineUnavailable(f"Docker: a large input is not visible to the daemon at {self.daemon.url}, which "
                                        f"cannot mount it (does fumehood itself run in a container?): {error}") from error
            raise
        return DockerSandbox(self, container, attached, request.limits,
                             int(config["HostConfig"]["PidsLimit"]) - request.limits.processes)

    def remove(self, container: str) -> bool:
        """Kill and remove; what cannot be removed now is tried again at the next launch. Whether it is gone."""
        try:
            with self.daemon.errors("removing a container"):
                try:
                    self.daemon.api().remove_container(container, force=True, v=True)
                except NotFound:
                    pass
                except APIError as error:
                    if error.status_code != 409:  # 409: somebody else is removing it
                        raise
        except EngineUnavailable:
            self._leftovers.add(container)
            return False
        self._leftovers.discard(container)
        return True

    def _remove_leftovers(self) -> None:
        for container in list(self._leftovers):
            self.remove(container)

def _own_socket(attached: Any) -> socket.socket:
    """The stream as a socket of ours: docker-py's closes when its response object is collected."""
    inner = getattr(attached, "_sock", attached)
    if type(inner) is socket.socket:
        own = socket.socket(fileno=os.dup(inner.fileno()))
        attached.close()
        inner.close()
        own.settimeout(None)
        return own
    if isinstance(inner, socket.socket):  # TLS keeps state beside the descriptor; docker-py tied the response to it
        inner.settimeout(None)
        return inner
    raise EngineUnavailable("Docker over ssh:// cannot carry the runner's protocol; forward the socket instead "
                            "(`ssh -L /tmp/docker.sock:/var/run/docker.sock HOST`) and set DOCKER_HOST=unix:///tmp/docker.sock")
