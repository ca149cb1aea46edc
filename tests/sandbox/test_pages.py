import ctypes
import mmap
import os
import resource
from collections.abc import Callable

from fumehood.sandbox.runner import pages

PAGE = os.sysconf("SC_PAGE_SIZE")


def _memory(count: int) -> tuple[mmap.mmap, int]:
    """Private memory, written to once, and where it lies."""
    memory = mmap.mmap(-1, count * PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for number in range(count):
        memory[number * PAGE] = 1
    return memory, ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _writer(memory: mmap.mmap, numbers: range | tuple[int, ...]) -> Callable[[], None]:
    def act() -> None:
        for number in numbers:
            memory[number * PAGE] = 2

    return act


def test_it_learns_the_pages_that_are_written() -> None:
    memory, start = _memory(64)
    learned = pages.learn(_writer(memory, (3, 4, 5, 9, 30, 32)))
    inside = [((address - start) // PAGE, size // PAGE) for address, size in learned if start <= address < start + 64 * PAGE]
    assert inside == [(3, 3), (9, 1), (30, 3)]  # 31 lies between two and is cheaper to take along


def test_what_is_only_read_is_not_learned() -> None:
    memory, start = _memory(64)
    learned = pages.learn(lambda: len(memory[:]))
    assert not [address for address, _ in learned if start <= address < start + 64 * PAGE]


def test_what_was_learned_is_copied_before_it_is_written() -> None:
    memory, _ = _memory(2000)
    act = _writer(memory, range(0, 2000, 4))
    learned = pages.learn(act)

    def faults(ranges: pages.Ranges) -> int:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                pages.copy_ahead(ranges)
                before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
                act()
                os.write(write, str(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before).encode())
            finally:
                os._exit(0)
        os.close(write)
        told = os.read(read, 100)
        os.close(read)
        os.waitpid(pid, 0)
        return int(told)

    assert faults([]) >= 500
    assert faults(learned) < 50


def test_a_range_that_is_not_mapped_any_more_is_passed_over() -> None:
    assert pages.copy_ahead([(PAGE * 16, PAGE)])
    assert not pages.copy_ahead([])
