"""Programs in the run's folder: one numbered folder per attempt."""

from pathlib import Path


def attempt_folder(run_folder: Path, number: int) -> Path:
    """The folder of one attempt, made if it is not there."""
    folder = run_folder / "attempts" / f"{number:03d}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def keep_program(run_folder: Path, number: int, program: str) -> str:
    """Write the program down; returns its path relative to the run's folder."""
    path = attempt_folder(run_folder, number) / "main.py"
    path.write_bytes(program.encode("utf-8", "surrogatepass"))
    return path.relative_to(run_folder).as_posix()
