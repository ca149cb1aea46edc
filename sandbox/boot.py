"""How the runner gets into a sandbox: the host streams its sources into a bare interpreter, so no image holds them."""

import marshal
import struct
from functools import cache
from importlib import resources
from importlib.util import MAGIC_NUMBER

PACKAGE = "fumehood_runner"

# Kept tiny: it is an argument of the command line, in every engine. `marshal` (of bytes and str only) is there without
# an import and reads the same in every Python that the runner supports.
_BOOT = f"""
import os, sys, marshal
def take(n):
    b = b""
    while len(b) < n:
        c = os.read(0, n - len(b))
        if not c: os._exit(0)
        b += c
    return b
import _frozen_importlib_external as external
magic, S, C = marshal.loads(take(int.from_bytes(take(4), "big")))
compiled = magic == external.MAGIC_NUMBER
if compiled: S = dict.fromkeys(S)
class Sources:
    def find_spec(self, name, path=None, target=None):
        if name in S: return type(sys.__spec__)(name, self, origin="<" + name + ">", is_package=name == "{PACKAGE}")
    def create_module(self, spec): pass
    def exec_module(self, module):
        n = module.__name__
        code = marshal.loads(C.pop(n)) if compiled else compile(S[n], "<" + n + ">", "exec")
        exec(code, module.__dict__)
sys.meta_path.insert(0, Sources())
from {PACKAGE}.main import main
main()
"""


def runner_command(python: str) -> list[str]:
    """The command that an engine starts as PID 1. `python` is a path inside the sandbox.

    `-P -s` and a fixed environment, not `-I`: that would ignore PYTHONHASHSEED.
    """
    return [python, "-P", "-s", "-B", "-X", "utf8", "-c", _BOOT]


@cache
def runner_sources() -> bytes:
    """The length-prefixed sources, the first bytes on the runner's stdin; compiled too, for the same Python inside."""
    sources = {}
    for entry in resources.files(f"{__package__}.runner").iterdir():
        name, suffix = entry.name.rpartition(".")[::2]
        if suffix == "py":
            sources[PACKAGE if name == "__init__" else f"{PACKAGE}.{name}"] = entry.read_bytes()
    if f"{PACKAGE}.main" not in sources:
        raise RuntimeError("fumehood is installed without the runner's sources")
    compiled = {name: marshal.dumps(compile(source, f"<{name}>", "exec")) for name, source in sources.items()}
    # Version 2 of the format, so that an older Python in an operator's image reads it too.
    packed = marshal.dumps((MAGIC_NUMBER, sources, compiled), 2)
    return struct.pack("!I", len(packed)) + packed
