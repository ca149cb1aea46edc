"""Sockets as the program uses them: an address is refused and written down; what is sent without one the runner sends.

A call that names its address in memory can never be let go on: between the runner's look and the kernel's another thread
puts an address where there was none. So the runner copies the message and sends it itself, on its own copy of the
descriptor, and never with an address.
"""

import array
import errno
import fcntl
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass

from .confine import take_descriptor
from .ledger import Ledger
from .tracee import Call, Gone, Handler, Program, status_field

_FAMILIES = {0: "unspec", 1: "unix", 2: "inet", 10: "inet6", 16: "netlink", 17: "packet", 29: "can", 31: "bluetooth",
             38: "alg", 40: "vsock", 44: "xdp"}
_NAME_SERVICE_CACHE = "/var/run/nscd/socket"
"""glibc asks there whenever a user's or host's name is looked up; no doing of the program's."""

_HEADER = struct.Struct("=QI4xQQQQ")
_CONTROL = struct.Struct("=Qii")
_MOST_PARTS, _MOST_BYTES, _MOST_CONTROL = 1024, 256 * 1024, 4096
"""Of one message. A stream takes the rest with the next call; a datagram of this size no unix socket takes either."""
_FLAGS = socket.MSG_EOR | socket.MSG_OOB | getattr(socket, "MSG_MORE", 0)


@dataclass(slots=True)
class _Message:
    """One that is to be sent, or that waits until its receiver reads."""

    call: Call
    socket: socket.socket
    data: bytes
    rights: list[int]
    flags: int

    def send(self) -> int:
        """Bytes sent. Raises OSError as sendmsg does, BlockingIOError where it would wait."""
        control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", self.rights))] if self.rights else []
        return self.socket.sendmsg([self.data], control, self.flags | socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)

    def close(self) -> None:
        self.socket.close()
        for number in self.rights:
            os.close(number)


class Sockets:
    """Handlers of the socket calls. `alive(call)` raises Gone; `answer(call, value, errno)` answers one that waited."""

    def __init__(self, program: Program, ledger: Ledger, alive: Callable[[Call], None],
                 answer: Callable[[Call, int, int], None]) -> None:
        self._program = program
        self._ledger = ledger
        self._alive = alive
        self._answer = answer
        self._waiting: list[_Message] = []

    def handlers(self) -> dict[str, Handler]:
        """By name of the system call."""
        return {"connect": self._connect, "sendmsg": self._sendmsg, "socket": self._socket,
                "sendto": lambda c: self._refuse_address(c, c.arguments[4], c.arguments[5] & 0xFFFFFFFF)}

    def send_again(self) -> None:
        """Try what had to wait. Called now and then; a message that waits blocks the thread that sent it and no other."""
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            try:
                self._alive(message.call)
                result = message.send(), 0
            except BlockingIOError:
                self._waiting.append(message)
                continue
            except OSError as error:
                result = 0, error.errno or errno.EIO
            except Gone:
                message.close()
                continue
            message.close()
            self._answer(message.call, *result)

    def close(self) -> None:
        for message in self._waiting:
            message.close()
        self._waiting.clear()

    def _address(self, call: Call, address: int, size: int) -> tuple[str, str | None, int | None]:
        data = self._program.memory(call.tid, address, min(size, 128)) if size else b""
        self._alive(call)
        return read_address(data)

    def _connect(self, call: Call) -> int:
        address, size = call.arguments[1], call.arguments[2] & 0xFFFFFFFF
        if self._address(call, address, size)[0] == "unspec":
            return 0  # dissolves a connection, and there is none
        return self._refuse_address(call, address, size)

    def _refuse_address(self, call: Call, address: int, size: int) -> int:
        family, host, port = self._address(call, address, size)
        if (family, host) == ("unix", _NAME_SERVICE_CACHE):
            raise OSError(errno.ENOENT, "no name service cache")
        self._ledger.network(family, host, port)
        raise OSError(errno.EACCES if family == "unix" else errno.ENETUNREACH, "refused")

    def _socket(self, call: Call) -> int:
        family = call.arguments[0] & 0xFFFFFFFF
        self._ledger.network(_FAMILIES.get(family, str(family)), None, None)
        raise OSError(errno.ENETUNREACH if family in (1, 2, 10) else errno.EAFNOSUPPORT, "refused")

    def _sendmsg(self, call: Call) -> int | None:
        header = self._program.memory(call.tid, call.arguments[1], _HEADER.size)
        if len(header) < _HEADER.size:
            raise OSError(errno.EFAULT, "msghdr")
        address, size, parts, count, control, control_size = _HEADER.unpack(header)
        self._alive(call)
        if address:
            return self._refuse_address(call, address, size)
        message = self._copied(call, parts, count, control, control_size)
        try:
            sent = message.send()
        except BlockingIOError:
            never_waits = fcntl.fcntl(message.socket.fileno(), fcntl.F_GETFL) & os.O_NONBLOCK
            if never_waits or call.signed(2) & socket.MSG_DONTWAIT:
                message.close()
                raise
            self._waiting.append(message)
            return None
        except BaseException:
            message.close()
            raise
        message.close()
        return sent

    def _copied(self, call: Call, parts: int, count: int, control: int, control_size: int) -> _Message:
        """The message, out of reach of the program's other threads."""
        pidfd = os.pidfd_open(int(status_field(call.tid, b"Tgid:")))
        held: list[int] = []
        try:
            held.append(take_descriptor(pidfd, call.signed(0)))
            data = self._data(call, parts, count)
            for number in self._rights(call, control, control_size):
                held.append(take_descriptor(pidfd, number))
            self._alive(call)
            if len(data) > _MOST_BYTES and not _is_stream(held[0]):
                raise OSError(errno.EMSGSIZE, "message")
            return _Message(call, socket.socket(fileno=held[0]), data[:_MOST_BYTES], held[1:], call.signed(2) & _FLAGS)
        except BaseException:
            for number in held:
                os.close(number)
            raise
        finally:
            os.close(pidfd)

    def _data(self, call: Call, parts: int, count: int) -> bytes:
        if count > _MOST_PARTS:
            raise OSError(errno.EMSGSIZE, "parts")
        table = self._program.memory(call.tid, parts, 16 * count) if count else b""
        data = b""
        for address, size in struct.iter_unpack("=QQ", table[:len(table) // 16 * 16]):
            if size and len(data) <= _MOST_BYTES:
                data += self._program.memory(call.tid, address, min(size, _MOST_BYTES + 1))
        return data

    def _rights(self, call: Call, control: int, size: int) -> list[int]:
        """Descriptors that go along. Nothing else may: not the runner's own process number as the sender's."""
        if size == 0:
            return []
        data = self._program.memory(call.tid, control, min(size, _MOST_CONTROL))
        if len(data) < size:
            raise OSError(errno.EINVAL, "control")
        found: list[int] = []
        while len(data) >= _CONTROL.size:
            length, level, kind = _CONTROL.unpack_from(data)
            if not _CONTROL.size <= length <= len(data) or (level, kind) != (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                raise OSError(errno.EINVAL, "control")
            found += [number for (number,) in struct.iter_unpack("=i", data[_CONTROL.size:length // 4 * 4])]
            data = data[(length + 7) // 8 * 8:]
        return found


def _is_stream(number: int) -> bool:
    """Raises ENOTSOCK."""
    with socket.socket(fileno=os.dup(number)) as own:
        return own.type == socket.SOCK_STREAM


def read_address(data: bytes) -> tuple[str, str | None, int | None]:
    """Family, host and port of a sockaddr; what it does not have is null."""
    family = int.from_bytes(data[:2], "little")
    if family == socket.AF_INET and len(data) >= 8:
        return "inet", socket.inet_ntop(socket.AF_INET, data[4:8]), int.from_bytes(data[2:4], "big")
    if family == socket.AF_INET6 and len(data) >= 24:
        return "inet6", socket.inet_ntop(socket.AF_INET6, data[8:24]), int.from_bytes(data[2:4], "big")
    if family == socket.AF_UNIX:
        name = data[2:]
        shown = b"@" + name[1:].rstrip(b"\0") if name[:1] == b"\0" else name.split(b"\0", 1)[0]
        return "unix", shown.decode("utf-8", "backslashreplace"), None
    return _FAMILIES.get(family, str(family)), None, None
