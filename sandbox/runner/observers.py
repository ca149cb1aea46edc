"""Both witnesses of one child as the run's loop sees them: the kernel's where it can be had, the interpreter's always."""

from typing import Any

from .interpreter import InterpreterWitness, add_lines
from .witness import KernelWitness


class Observers:
    """Descriptors to poll, and one report in the fields of Evidence."""

    def __init__(self, kernel: KernelWitness | None, told: InterpreterWitness) -> None:
        self._kernel = kernel
        self._told = told
        self._by_number: dict[int, KernelWitness | InterpreterWitness] = {told.fileno(): told}
        if kernel is not None:
            self._by_number[kernel.fileno()] = kernel

    def filenos(self) -> list[int]:
        return list(self._by_number)

    def handle(self, number: int) -> bool:
        """Serve what waits on one descriptor; False when nothing will come on it any more."""
        return self._by_number[number].handle()

    def tick(self) -> None:
        """Once per turn of the loop."""
        if self._kernel is not None:
            self._kernel.tick()

    def report(self) -> dict[str, Any]:
        """What was seen since the last report."""
        told = self._told.report()
        if self._kernel is None:
            return told
        return add_lines(self._kernel.report(), told)

    def close(self) -> None:
        for witness in self._by_number.values():
            witness.close()
        self._by_number.clear()
