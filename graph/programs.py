"""Programs in the run's folder: one numbered folder per attempt."""

import shutil
from pathlib import Path


def attempt_folder(run_folder: Path, number: int) -> Path:
    """The folder of one attempt, made if it is not there."""
    folder = run_folder / "attempts" / f"{number:03d}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def clear_results(folder: Path) -> None:
    """Remove what an earlier execution of the same attempt left: it was killed before it was written down, or its engine
    broke. Nothing of it is part of the run."""
    if (folder / "files").exists():
        shutil.rmtree(folder / "files")
    (folder / "delivered.json").unlink(missing_ok=True)


def keep_program(run_folder: Path, number: int, program: str) -> str:
    """Write the program down; returns its path relative to the run's folder."""
    path = attempt_folder(run_folder, number) / "main.py"
    path.write_bytes(program.encode("utf-8", "surrogatepass"))
    return path.relative_to(run_folder).as_posix()
