"""The Docker daemon: where it listens, why it does not answer, and its API with errors of our own."""

import math
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import requests
from docker import APIClient, errors
from docker.context import ContextAPI
from docker.tls import TLSConfig
from docker.utils import kwargs_from_env

from .errors import EngineUnavailable
from .owner import owner_is_dead

OWNER_LABEL = "fumehood.owner"
RUN_LABEL = "fumehood.run"

_ANSWER_S = 5.0
"""A daemon that takes longer for a question about itself counts as hanging."""
_WORK_S = 60.0
"""For creating, starting and removing: a busy daemon may take its time."""
_DEFAULT_SOCKET = "unix:///var/run/docker.sock"


def daemon_url() -> str:
    """`$DOCKER_HOST`, else the endpoint of the current `docker context`, else the default socket."""
    named = os.environ.get("DOCKER_HOST")
    if named:
        return named
    try:
        context = ContextAPI.get_current_context()
    except (errors.ContextException, errors.TLSParameterError, OSError, ValueError):
        return _DEFAULT_SOCKET
    host = context.Host if context is not None else None
    return host.replace("http+unix://", "unix://") if host else _DEFAULT_SOCKET


class Daemon:
    """One daemon. Nothing is opened before the first question; a forked child makes connections of its own."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or daemon_url()
        self._clients: dict[tuple[int, float], APIClient] = {}
        self._lock = threading.Lock()

    @property
    def socket_path(self) -> Path | None:
        return Path(self.url.removeprefix("unix://")) if self.url.startswith("unix://") else None

    @property
    def local(self) -> bool:
        """Whether the daemon shares this host's files, as far as the address tells."""
        return self.socket_path is not None

    def unreachable(self) -> str | None:
        """Null when the daemon answers within 5 s, else why not and what to do about it."""
        path = self.socket_path
        if path is None:
            return self._unreachable_by_client()
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(_ANSWER_S)
                connection.connect(str(path))
                connection.sendall(b"GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n")
                answer = connection.recv(64)
        except TimeoutError:
            return self._hangs()
        except PermissionError:
            return (f"Docker: permission denied on {path}. Add this user to the socket's group (usually "
                    "`sudo usermod -aG docker $USER`, then log in again), use rootless Docker, or take bubblewrap.")
        except FileNotFoundError:
            if which("docker") is None and "DOCKER_HOST" not in os.environ:
                return (f"Docker: not found. There is no docker command in PATH and no socket {path}. "
                        "Install Docker, or take bubblewrap.")
            return (f"Docker: the daemon is not running, its socket {path} does not exist. Start it "
                    "(`sudo systemctl start docker`, or Docker Desktop), or set DOCKER_HOST to where it listens.")
        except OSError as error:
            return f"Docker: the daemon is down, nothing answers at {path} ({error.strerror or error}). Start it."
        if not answer.startswith(b"HTTP/1."):
            return f"Docker: what listens at {path} is no Docker daemon. Set DOCKER_HOST to where it listens."
        if b" 200 " not in answer[:16]:
            status = answer[9:40].split(b"\r")[0].decode("ascii", "replace")
            return f"Docker: the daemon at {path} answers, but with an error: {status}."
        return None

    def _unreachable_by_client(self) -> str | None:
        try:
            self.api(quick=True).ping()
        except EngineUnavailable as error:
            return str(error)
        except requests.exceptions.Timeout:
            return self._hangs()
        except (requests.exceptions.RequestException, errors.DockerException) as error:
            return f"Docker: cannot talk to the daemon at {self.url}: {error}. Check DOCKER_HOST and its certificates."
        return None

    def _hangs(self) -> str:
        return (f"Docker: no answer from the daemon at {self.socket_path or self.url} within {_ANSWER_S:g} s. "
                "It hangs or is overloaded: restart it, or take bubblewrap.")

    def api(self, *, quick: bool = False, timeout: float = _WORK_S) -> APIClient:
        """The client; `quick` for questions that must be answered within 5 s. Raises EngineUnavailable."""
        key = (os.getpid(), _ANSWER_S if quick else timeout)
        self._knock()
        with self._lock:
            client = self._clients.get(key)
            if client is None:
                with self.errors("connecting"):
                    client = self._connect(key[1])
                self._clients[key] = client
        return client

    def _knock(self) -> None:
        """A daemon that is down is told here at once, before docker-py loses an unconnected socket over it."""
        if self.socket_path is None:
            return
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(_ANSWER_S)
                connection.connect(str(self.socket_path))
        except OSError as error:
            raise EngineUnavailable(self.unreachable() or f"Docker: the daemon at {self.url} failed: {error}") from error

    def _connect(self, timeout: float) -> APIClient:
        tls: TLSConfig | bool = False
        if self.url == os.environ.get("DOCKER_HOST"):
            tls = kwargs_from_env().get("tls") or False
        client = APIClient(base_url=self.url, version="auto", timeout=timeout, tls=tls, use_ssh_client=True)  # type: ignore[arg-type]
        if self.local:
            # A socket file has no proxies; looking for them, requests would read the environment while others write it.
            client.trust_env = False
        return client

    @contextmanager
    def errors(self, doing: str) -> Iterator[None]:
        """Turn what docker-py raises into EngineUnavailable that says what failed and in the daemon's own words."""
        try:
            yield
        except errors.APIError as error:
            raise EngineUnavailable(f"Docker refused ({doing}): {error.explanation or error}") from error
        except requests.exceptions.Timeout as error:
            raise EngineUnavailable(f"{self._hangs()} (while {doing})") from error
        except (requests.exceptions.RequestException, errors.DockerException, OSError) as error:
            reason = self.unreachable() if self.local else None
            raise EngineUnavailable(f"{reason or f'Docker: the daemon at {self.url} failed: {error}'} "
                                    f"(while {doing})") from error

    def info(self) -> dict[str, Any]:
        """What the daemon says of itself and of its host."""
        with self.errors("asking the daemon about itself"):
            answer: dict[str, Any] = self.api(quick=True).info()
        return answer

    def memory_limit_hit(self, container: str, *, within_s: float) -> bool:
        """Whether the daemon reports in this time, or did as long ago, that the kernel killed for this container's memory
        limit. Its record of the container (`OOMKilled`) lacks that where it heard of the end first."""
        now = time.time()
        with self.errors("asking how a container ended"):
            events = self.api().events(since=int(now - within_s), until=math.ceil(now + within_s),
                                       filters={"container": container, "event": "oom"}, decode=True)
            try:
                return any(event.get("Action") == "oom" for event in events)
            finally:
                events.close()

    def inspect_image(self, name: str) -> dict[str, Any] | None:
        """The local image, or None. Never pulls, never asks a registry."""
        with self.errors(f"looking for the image {name}"):
            try:
                answer: dict[str, Any] = self.api(quick=True).inspect_image(name)  # type: ignore[no-untyped-call]
            except errors.ImageNotFound:
                return None
        return answer


def sweep(daemon: Daemon | None = None) -> list[str]:
    """Remove the containers of owners on this host that are dead for certain; their ids. Never a neighbour's."""
    daemon = daemon or Daemon()
    removed = []
    with daemon.errors("sweeping orphans"):
        api = daemon.api()
        for container in api.containers(all=True, filters={"label": OWNER_LABEL}):
            if not owner_is_dead(container["Labels"].get(OWNER_LABEL, "")):
                continue
            try:
                api.remove_container(container["Id"], force=True, v=True)
            except errors.NotFound:
                continue  # another sweeper was here first
            except errors.APIError as error:
                if error.status_code != 409:  # 409: its removal is already under way
                    raise
                continue
            removed.append(container["Id"])
    return removed
