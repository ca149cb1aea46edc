"""Files out of a run's folder: the outputs to a folder of the caller's, the workspace to an archive."""

import os
import tarfile
from pathlib import Path

from ..graph.errors import SettingsInvalid
from ..graph.state import Outcome
from ..sandbox.manifest import workspace_path


def copy_artifacts(outcome: Outcome, target: Path) -> str:
    """Copy the outputs below `target` under their workspace names, `output/` itself left out. Returns the folder.

    Raises SettingsInvalid where the folder cannot be written; nothing outside it is touched, no link in it followed.
    """
    run_folder = Path(outcome.folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for artifact in outcome.artifacts:
            name = artifact.path.removeprefix("output/")
            place = target / workspace_path(name)
            _make_below(target, place.parent)
            _write_new(place, (run_folder / artifact.stored).read_bytes())
    except OSError as error:
        raise SettingsInvalid(f"--output {target}: {error}") from error
    return str(target)


def _make_below(target: Path, folder: Path) -> None:
    """Make the folders below `target` one by one; a link in their place is refused before anything is made behind it."""
    step = target
    for part in folder.relative_to(target).parts:
        step = step / part
        if step.is_symlink():
            raise SettingsInvalid(f"--output {target}: {step} is a link; remove it, or choose another folder")
        step.mkdir(exist_ok=True)


def _write_new(place: Path, data: bytes) -> None:
    """Replace the name itself, never what a link there points at."""
    temporary = place.with_name(f".{place.name[:100]}.{os.getpid()}.part")
    temporary.unlink(missing_ok=True)
    with temporary.open("xb") as handle:
        handle.write(data)
    temporary.replace(place)


def keep_workspace(outcome: Outcome, target: Path) -> None:
    """Write inputs and collected files to a tar archive: plain files, fixed times and owners. Raises SettingsInvalid."""
    temporary = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        with tarfile.open(temporary, "x") as archive:
            for name, path in outcome.workspace().items():
                info = tarfile.TarInfo(name)
                with path.open("rb") as handle:
                    info.size, info.mode = os.fstat(handle.fileno()).st_size, 0o644
                    archive.addfile(info, handle)
        temporary.replace(target)
    except OSError as error:
        raise SettingsInvalid(f"--keep-workspace {target}: {error}") from error
    finally:
        temporary.unlink(missing_ok=True)
