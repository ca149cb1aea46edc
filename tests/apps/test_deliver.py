"""Files go below the folder that was named, and nowhere else."""

from pathlib import Path

import pytest
from fumehood.apps.deliver import copy_artifacts
from fumehood.graph.errors import SettingsInvalid
from fumehood.graph.state import Outcome
from fumehood.sandbox.evidence import Artifact


def outcome(folder: Path, path: str) -> Outcome:
    (folder / "kept").write_text("made")
    made = Artifact(path=path, bytes=4, sha256="0" * 64, media_type="text/plain", stored="kept")
    return Outcome(run_id="r", status="answered", artifacts=[made], folder=str(folder))


def test_copies_below_the_folder(tmp_path: Path) -> None:
    copy_artifacts(outcome(tmp_path, "output/deep/a.txt"), tmp_path / "out")
    assert (tmp_path / "out" / "deep" / "a.txt").read_text() == "made"


def test_makes_nothing_behind_a_planted_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    target = tmp_path / "out"
    target.mkdir()
    (target / "deep").symlink_to(victim)
    with pytest.raises(SettingsInvalid, match="is a link"):
        copy_artifacts(outcome(tmp_path, "deep/er/a.txt"), target)
    assert list(victim.iterdir()) == []


def test_replaces_a_link_itself_and_not_what_it_points_at(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("keep")
    target = tmp_path / "out"
    target.mkdir()
    (target / "a.txt").symlink_to(secret)
    copy_artifacts(outcome(tmp_path, "a.txt"), target)
    assert secret.read_text() == "keep"
    assert (target / "a.txt").read_text() == "made"
