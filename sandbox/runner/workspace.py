"""The workspace inside: inputs come in checked against their digests, files go out without a link being followed."""

import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import frames

MAX_DEPTH = 32
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(slots=True)
class Layout:
    """Folders of one sandbox."""

    scratch: str
    program: str
    alone: bool = False
    """No file system of its own: a folder stands for /dev/shm."""
    font_list: str | None = None
    """matplotlib's list of fonts, as the sandbox's Python was built with it."""
    inputs: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)
    """Workspace path of each input to its inode, size and time of change, as they were when it was put."""
    modes: dict[str, int] = field(default_factory=dict)

    @property
    def workspace(self) -> str:
        return f"{self.scratch}/work"

    @property
    def home(self) -> str:
        return f"{self.scratch}/home"

    @property
    def shared_memory(self) -> str | None:
        """Stands for /dev/shm where none can be mounted."""
        return f"{self.scratch}/shm" if self.alone else None

    def make(self) -> None:
        shared = [self.shared_memory] if self.shared_memory is not None else []
        for folder in (self.workspace, f"{self.workspace}/output", self.home, f"{self.home}/.config", f"{self.home}/.cache",
                       *shared):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        os.makedirs(self.program, mode=0o700, exist_ok=True)
        if self.font_list is not None:
            cache = f"{self.home}/.config/matplotlib"
            os.makedirs(cache, mode=0o700, exist_ok=True)
            if not os.path.lexists(link := f"{cache}/{os.path.basename(self.font_list)}"):
                os.symlink(self.font_list, link)

    def clear(self) -> None:
        """Take away what runs have left in the scratch folder, mounted inputs excepted; every other process is dead."""
        for name in os.listdir(self.scratch):
            path = f"{self.scratch}/{name}"
            if os.path.isdir(path) and not os.path.islink(path):
                open_up(path)
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)
        self.inputs.clear()
        self.make()

    def put(self, order: dict[str, Any], data: Iterator[bytes]) -> str | None:
        """Write one file of the workspace; what is wrong with it, or None. Always takes all of `data`."""
        path = f"{self.workspace}/{order['path']}"
        problem = None
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.isdir(path) and not os.path.islink(path):
                open_up(path)
                shutil.rmtree(path)
            elif os.path.lexists(path):
                os.unlink(path)
            target: int | None = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            target, problem = None, f"cannot be written: {error.strerror}"
        for chunk in data:
            try:
                while target is not None and chunk:
                    chunk = chunk[os.write(target, chunk):]
            except OSError as error:
                os.close(target)  # type: ignore[arg-type]
                target, problem = None, f"cannot be written: {error.strerror}"
        if target is not None:
            os.fchmod(target, 0o444 if order["read_only"] else 0o644)
            os.close(target)
        if problem is None and order["read_only"]:
            self.inputs[order["path"]] = _mark(path)
        return problem

    def check_mounted(self, path: str, sha256: str) -> str | None:
        """What is wrong with a mounted input, or None."""
        full = f"{self.workspace}/{path}"
        digest = hashlib.sha256()
        try:
            with open(full, "rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
        except OSError as error:
            return f"is not visible in the sandbox: its mount failed ({error.strerror})"
        if digest.hexdigest() != sha256:
            return f"has the digest {digest.hexdigest()}, {sha256} was recorded"
        self.inputs[path] = _mark(full)
        return None

    def changed_inputs(self) -> list[str]:
        """Inputs that a program replaced, changed or removed. (Same user inside, so a mode alone cannot forbid it.)"""
        return [path for path, mark in self.inputs.items() if _mark(f"{self.workspace}/{path}") != mark]


def _mark(path: str) -> tuple[int, int, int, int]:
    """Tells a changed file: a program can set size and mtime back, never the ctime."""
    try:
        status = os.lstat(path)
    except OSError:
        return (0, 0, 0, 0)
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def open_up(path: str) -> None:
    """Give the owner back what a program's chmod took, without following links."""
    os.chmod(path, 0o700)
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                open_up(entry.path)


class Collector:
    """One walk over the workspace. Every other process is dead or stopped while it runs."""

    def __init__(self, layout: Layout, order: dict[str, Any], send: Callable[[bytes], None]) -> None:
        self._layout = layout
        self._known: dict[str, str] = order["known"]
        self._max_files: int = order["max_files"]
        self._max_bytes: int = order["max_bytes"]
        self._send = send
        self._files = 0
        self._bytes = 0
        self.rejected: list[list[str]] = []
        self.present: list[str] = []

    def run(self) -> None:
        self._folder(os.open(self._layout.workspace, _DIRECTORY), "", 0)

    def _folder(self, handle: int, prefix: str, depth: int) -> None:
        try:
            for name in sorted(os.listdir(handle)):
                if len(self.rejected) + self._files > 2 * self._max_files:
                    return
                self._entry(handle, name, prefix + name, depth)
        finally:
            os.close(handle)

    def _entry(self, folder: int, name: str, path: str, depth: int) -> None:
        status = os.lstat(name, dir_fd=folder)
        if stat.S_ISDIR(status.st_mode):
            if depth + 1 > MAX_DEPTH:
                self._reject(path, f"a folder more than {MAX_DEPTH} deep")
                return
            if status.st_mode & 0o500 != 0o500:
                os.chmod(name, status.st_mode & 0o777 | 0o700, dir_fd=folder)
            self._folder(os.open(name, _DIRECTORY, dir_fd=folder), f"{path}/", depth + 1)
        elif not stat.S_ISREG(status.st_mode):
            self._reject(path, f"not a regular file but {_kind(status.st_mode)}")
        elif path not in self._layout.inputs:
            self._file(folder, name, path, status)

    def _file(self, folder: int, name: str, path: str, status: os.stat_result) -> None:
        if status.st_nlink != 1:
            self._reject(path, f"a hard link: the file has {status.st_nlink} names")
            return
        if self._files >= self._max_files:
            self._reject(path, f"more than {self._max_files} files")
            return
        if status.st_size > self._max_bytes - self._bytes:
            self._reject(path, f"{status.st_size} bytes; at most {self._max_bytes} are collected in all")
            return
        if not status.st_mode & 0o400:
            os.chmod(name, status.st_mode & 0o777 | 0o600, dir_fd=folder)
        handle = os.open(name, _FILE, dir_fd=folder)
        try:
            digest = _digest(handle)
            self._files += 1
            self._bytes += status.st_size
            self.present.append(path)
            if self._known.get(path) == digest:
                return
            self._send(frames.encode_json({"op": "file", "path": path, "bytes": status.st_size, "sha256": digest}))
            left, offset = status.st_size, 0
            while left:
                chunk = os.pread(handle, min(frames.CHUNK, left), offset)
                if not chunk:
                    raise frames.BrokenFrame(f"the file {path[:200]} became shorter while it was collected")
                offset += len(chunk)
                left -= len(chunk)
                self._send(frames.encode(frames.DATA, chunk))
        finally:
            os.close(handle)

    def _reject(self, path: str, reason: str) -> None:
        self.rejected.append([path, reason])


def _digest(handle: int) -> str:
    digest, offset = hashlib.sha256(), 0
    while chunk := os.pread(handle, 1 << 20, offset):
        digest.update(chunk)
        offset += len(chunk)
    return digest.hexdigest()


def _kind(mode: int) -> str:
    for test, word in ((stat.S_ISLNK, "a link"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket")):
        if test(mode):
            return word
    return "a device"
