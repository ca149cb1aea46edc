"""Landlock's rules as older kernels know them: the same walls, as far as each version has them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from fumehood.sandbox.runner.landlock import landlock_abi

_TRUNCATION_SINCE, _TCP_SINCE = 3, 4
_TRIES = """
import json, os, socket, sys
from fumehood.sandbox.runner import landlock
asked, inside, reading = int(sys.argv[1]), sys.argv[2], sys.argv[3]
if asked:
    landlock.landlock_abi = lambda: asked
    assert landlock.restrict_files([reading], [inside], []) == asked
def tried(act):
    try:
        act()
    except OSError as error:
        return error.errno
    return 0
listener = socket.socket()
print(json.dumps({
    "write inside": tried(lambda: open(inside + "/new", "w").write("x")),
    "move inside": tried(lambda: os.rename(inside + "/new", inside + "/sub/moved")),
    "read": tried(lambda: open(reading + "/file").read()),
    "write to what is read": tried(lambda: open(reading + "/file", "a")),
    "truncate what is read": tried(lambda: os.truncate(reading + "/file", 1)),
    "read outside": tried(lambda: open(reading + "/../outside").read()),
    "make outside": tried(lambda: open(reading + "/../made", "w")),
    "tcp": tried(lambda: listener.bind(("127.0.0.1", 0))),
}))
"""


def told(version: int, folder: Path) -> dict[str, int]:
    for name in ("inside/sub", "reading"):
        (folder / name).mkdir(parents=True)
    for name in ("reading/file", "outside"):
        (folder / name).write_text("content")
    done = subprocess.run([sys.executable, "-c", _TRIES, str(version), str(folder / "inside"), str(folder / "reading")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, int] = json.loads(done.stdout)
    return result


def test_without_landlock_nothing_of_this_is_refused(tmp_path: Path) -> None:
    assert set(told(0, tmp_path).values()) == {0}


@pytest.mark.parametrize("version", range(1, 8))
def test_each_version_walls_what_it_can(version: int, tmp_path: Path) -> None:
    if version > landlock_abi():
        pytest.skip(f"this kernel's Landlock is version {landlock_abi()}")
    result = told(version, tmp_path)
    refused = {name for name, number in result.items() if number}
    expected = {"write to what is read", "read outside", "make outside"}
    if version == 1:
        expected |= {"move inside"}  # no version 1 allows a file to change its folder
    if version >= _TRUNCATION_SINCE:
        expected |= {"truncate what is read"}
    if version >= _TCP_SINCE:
        expected |= {"tcp"}
    assert refused == expected, result
