"""A cgroup's files as the kernel writes them, of version 1 and 2. (Limits held by a real one: test_docker, test_threats.)"""

from pathlib import Path

import pytest
from fumehood.sandbox.cgroup_files import CgroupFiles

SECOND = {
    "memory.max": "268435456\n", "memory.swap.max": "0\n", "memory.current": "1048576\n", "memory.oom.group": "1\n",
    "memory.events": "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n",
    "pids.max": "65\n", "pids.events": "max 4\n", "cpu.max": "150000 100000\n",
}
FIRST = {
    "memory.limit_in_bytes": "268435456\n", "memory.memsw.limit_in_bytes": "268435456\n",
    "memory.usage_in_bytes": "1048576\n",
    "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", "memory.swappiness": "60\n",
    "pids.max": "65\n", "pids.events": "max 4\n", "cpu.cfs_quota_us": "150000\n", "cpu.cfs_period_us": "100000\n",
}
NO_LIMIT = {"memory.max": "max\n", "memory.swap.max": "max\n", "memory.limit_in_bytes": "9223372036854771712\n",
            "memory.memsw.limit_in_bytes": "9223372036854771712\n", "pids.max": "max\n", "cpu.max": "max 100000\n",
            "cpu.cfs_quota_us": "-1\n"}


def group(folder: Path, content: dict[str, str]) -> CgroupFiles:
    for name, text in content.items():
        (folder / name).write_text(text)
    return CgroupFiles(dict.fromkeys(("memory", "pids", "cpu"), folder))


@pytest.mark.parametrize("content", [FIRST, SECOND], ids=["version 1", "version 2"])
def test_limits_and_counters_are_those_of_the_files(tmp_path: Path, content: dict[str, str]) -> None:
    files = group(tmp_path, content)
    assert (files.memory_mb(), files.swap_mb(), files.tasks(), files.processors()) == (256.0, 0.0, 65.0, 1.5)
    assert (files.memory_kills(), files.forks_refused(), files.memory_used()) == (2, 4, 1048576)
    counter = next(name for name in content if name in ("memory.events", "memory.oom_control"))
    (tmp_path / counter).write_text(content[counter].replace("oom_kill 2", "oom_kill 3"))
    assert files.memory_kills() == 3, "an open file is read anew"
    files.close()
    files.close()
    assert (files.memory_kills(), files.memory_mb()) == (None, None)


@pytest.mark.parametrize("content", [FIRST, SECOND], ids=["version 1", "version 2"])
def test_no_limit_is_null(tmp_path: Path, content: dict[str, str]) -> None:
    files = group(tmp_path, {name: NO_LIMIT.get(name, text) for name, text in content.items()})
    assert (files.memory_mb(), files.swap_mb(), files.tasks(), files.processors()) == (None, None, None, None)
    files.close()


@pytest.mark.parametrize("size", [2**20, 2**30])
def test_setting_limits_leaves_no_swap(tmp_path: Path, size: int) -> None:
    for content, folder in ((FIRST, tmp_path / "first"), (SECOND, tmp_path / "second")):
        folder.mkdir()
        files = group(folder, content)
        files.limit_memory(size)
        files.limit_tasks(7)
        assert (files.memory_mb(), files.swap_mb(), files.tasks()) == (size / 2**20, 0.0, 7.0)
        files.close()


def test_what_is_not_there_is_null_and_no_error(tmp_path: Path) -> None:
    files = CgroupFiles({"pids": tmp_path / "gone"})
    assert (files.memory_kills(), files.forks_refused(), files.memory_mb(), files.processors()) == (None, None, None, None)
    files.limit_memory(1)
    with pytest.raises(OSError, match="gone"):
        files.limit_tasks(1)
