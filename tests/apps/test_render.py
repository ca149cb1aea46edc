"""What a person is shown of the evidence."""

import pytest
from fumehood.apps.render import evidence_view
from fumehood.sandbox.evidence import Evidence, FileEvent
from rich.console import Console


def shown(*written: str) -> str:
    evidence = Evidence(engine="bubblewrap", runtime="sha256:1", witness="kernel", files_written=[
        FileEvent(path=path, mode="write", witness="kernel") for path in written])
    console = Console(width=300)
    with console.capture() as capture:
        console.print(evidence_view(evidence, None))
    return next(line for line in capture.get().splitlines() if line.strip().startswith("written"))


@pytest.mark.parametrize("home", ["/tmp/home", "/tmp/fumehood-landlock-x1_/scratch/home",
                                  "/var/tmp/fumehood-landlock-x/scratch/home"])
def test_what_libraries_keep_in_the_sandboxs_home_is_counted_apart(home: str) -> None:
    line = shown("output/a.png", f"{home}/.cache/matplotlib/fontlist.json", f"{home}/.config/matplotlib/x.lock")
    assert "output/a.png (2 in the sandbox's home" in line
    assert "fontlist" not in line
    assert "lock" not in line


@pytest.mark.parametrize("path", ["home/notes.txt", "/tmp/homework/a.txt", "/home/a", "/tmp/work/home/x"])
def test_other_places_are_shown(path: str) -> None:
    assert path in shown(path)
    assert "sandbox's home" not in shown(path)
