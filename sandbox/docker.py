"""The Docker engine: the runner as PID 1 of a single-use container, on runc, gVisor or any OCI runtime by name."""

import os
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from docker.errors import APIError, NotFound

from .attach import Attached
from .boot import runner_command
from .cgroup_reading import ContainerCgroup, container_cgroup, kill_container_processes
from .daemon import Daemon
from .engine import Capabilities, LaunchRequest
from .errors import EngineUnavailable, LimitsNotEnforced
from .floor import check_overrides, container_config
from .floor_probe import Floor, measure_floor
from .image_record import BUILD_COMMAND, Image, from_inspect, recorded_image

_ATTACH = {"stream": 1, "stdin": 1, "stdout": 1, "stderr": 1}
_END_S = 5.0


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
        if not info.get("SwapLimit"):
            lacks.append("the kernel does not account swap: memory may go there")
        if not floor.sized_tmpfs:
            lacks.append("this runtime does not bound the size of the workspace")
        return Capabilities(
            network="namespace", pid_namespace=True, mount_namespace=True,
            witness="kernel" if floor.notifies else "interpreter",
            memory="hard" if info.get("MemoryLimit") else "not_held", cpu="soft",
            processes="hard" if info.get("PidsLimit") and not floor.foreign_kernel else "soft",
            disk="hard" if floor.sized_tmpfs else "soft", foreign_kernel=floor.foreign_kernel, lacks=lacks,
        )

    def runtime(self) -> str:
        """The image's id, `sha256:…`."""
        with self._lock:
            return self._find().id

    def image(self) -> Image:
        """The image that sandboxes are made of. Raises EngineUnavailable."""
        with self._lock:
            return self._find()

    def launch(self, request: LaunchRequest) -> "DockerSandbox":
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
        self._floor = measure_floor(self, image, info)
        self._image = image
        return image

    def start_command(self, request: LaunchRequest, image: Image, command: list[str]) -> "DockerSandbox":
        """Start a trusted command in place of the runner, on the same floor; for measuring images and floors."""
        return self._start(request, image, command)

    def _start(self, request: LaunchRequest, image: Image, command: list[str]) -> "DockerSandbox":
        info = self._info or self.daemon.info()
        config = container_config(
            request, image=image.id, command=command, runtime=self._runtime, settings=self._settings,
            cgroup_version=str(info.get("CgroupVersion", "1")), cpus=int(info.get("NCPU") or 1),
        )
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
        except BaseException:
            if container is not None:
                self.remove(container)
            raise
        return DockerSandbox(self, container, attached)

    def remove(self, container: str) -> None:
        """Kill and remove; what cannot be removed now is tried again at the next launch."""
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
            return
        self._leftovers.discard(container)

    def _remove_leftovers(self) -> None:
        for container in list(self._leftovers):
            self.remove(container)


class DockerSandbox:
    """One running container."""

    def __init__(self, engine: DockerEngine, container: str, attached: Attached) -> None:
        self.id = container
        self.stdin: IO[bytes] = attached.stdin
        self.stdout: IO[bytes] = attached.stdout
        self._engine = engine
        self._attached = attached
        self._lock = threading.RLock()
        self._cgroup: ContainerCgroup | None = None
        self._looked = False
        self._out_of_memory: bool | None = None
        self._state: dict[str, Any] = {}
        self._effective: dict[str, float | str | None] = {}
        self._killed = self._closed = False

    def kill(self) -> None:
        """End every process of the container; works on local processes where the daemon is gone."""
        with self._lock:
            if self._killed:
                return
            self.out_of_memory()  # the counter goes with the cgroup
            self._killed = True
            self._attached.discard()
            api_failed = False
            try:
                with self._engine.daemon.errors("killing a container"):
                    self._engine.daemon.api().kill(self.id, "SIGKILL")
            except EngineUnavailable as error:
                # 404 and 409: it is gone or has ended. Anything else: the daemon cannot be asked.
                api_failed = not isinstance(error.__cause__, APIError)
            if api_failed and self._engine.local:
                with suppress(PermissionError):  # then the runner's own clock ends it
                    kill_container_processes(self.id)

    def close(self) -> None:
        """Kill, read how it ended, remove."""
        with self._lock:
            if self._closed:
                return
            self.kill()
            self._closed = True
            if self._out_of_memory is None and self._attached.join(_END_S):
                self._out_of_memory = self._inspect().get("State", {}).get("OOMKilled")
            self._engine.remove(self.id)
            self._attached.close()

    def diagnose(self) -> str:
        """What the runner wrote to stderr, and the container's state in the daemon's words."""
        state = self._inspect().get("State", {})
        told = [self._attached.stderr()]
        if state:
            told.append(f"container {state.get('Status')}, exit code {state.get('ExitCode')}")
            if state.get("OOMKilled"):
                told.append("its memory limit was hit")
            if state.get("Error"):
                told.append(str(state["Error"]))
        else:
            told.append(self._engine.daemon.unreachable() or "the container is gone")
        return "; ".join(part for part in told if part)

    def out_of_memory(self) -> bool | None:
        """By the cgroup's counter while the container lives, by the daemon's record of it afterwards."""
        with self._lock:
            if self._out_of_memory:
                return True
            group = None if self._killed else self._group()
            kills = group.memory_kills() if group else None
            if kills is not None:
                self._out_of_memory = kills > 0
            elif not self._closed:
                state = self._inspect().get("State", {})
                if state and not state.get("Running"):
                    self._out_of_memory = bool(state.get("OOMKilled"))
            return self._out_of_memory

    def effective(self) -> dict[str, float | str | None]:
        """Limits by the cgroup's files; where those cannot be seen, as the daemon recorded them (`seen_by`)."""
        with self._lock:
            if self._effective or self._closed:
                return self._effective
            group = self._group()
            if group is not None:
                self._effective = {**group.limits(), "seen_by": "cgroup"}
                return self._effective
            host = self._inspect().get("HostConfig", {})
            if host:
                memory, swap = host.get("Memory") or 0, host.get("MemorySwap") or 0
                self._effective = {
                    "memory_mb": memory / 1048576 or None, "swap_mb": (swap - memory) / 1048576 if swap > 0 else None,
                    "tasks": host.get("PidsLimit") or None, "processors": (host.get("NanoCpus") or 0) / 1e9 or None,
                    "seen_by": "daemon",
                }
            return self._effective

    def _group(self) -> ContainerCgroup | None:
        if not self._looked and self._engine.local:
            self._looked = True
            pid = self._inspect().get("State", {}).get("Pid")
            self._cgroup = container_cgroup(self.id, pid) if pid else None
        return self._cgroup

    def _inspect(self) -> dict[str, Any]:
        """What the daemon says of the container now; empty where it does not know it or does not answer."""
        try:
            with self._engine.daemon.errors("asking about a container"):
                answer: dict[str, Any] = self._engine.daemon.api(quick=True).inspect_container(self.id)
        except EngineUnavailable:
            return {}
        return answer


def _own_socket(attached: Any) -> socket.socket:
    """The stream as a socket of ours: docker-py's closes when its response object is collected."""
    inner = getattr(attached, "_sock", attached)
    if type(inner) is socket.socket:
        own = socket.socket(fileno=os.dup(inner.fileno()))
        own.settimeout(None)
        return own
    if isinstance(inner, socket.socket):  # TLS keeps state beside the descriptor; docker-py tied the response to it
        inner.settimeout(None)
        return inner
    raise EngineUnavailable("Docker over ssh:// cannot carry the runner's protocol; forward the socket instead "
                            "(`ssh -L /tmp/docker.sock:/var/run/docker.sock HOST`) and set DOCKER_HOST=unix:///tmp/docker.sock")
