"""Folders that hostile programs wrote in: removed and measured from outside, whatever they hold."""

import os
from pathlib import Path

from fumehood.sandbox.runner.keeper import remove_tree
from fumehood.sandbox.runner.quota import FolderQuota


def grow(top: Path) -> None:
    """A tree as a hostile program leaves it."""
    outside = top.parent / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (outside / "kept").chmod(0o644)
    (top / "link").symlink_to(outside)
    (top / "loop").symlink_to(top)
    os.mkfifo(top / "pipe")
    (top / b"\xff\n name".decode("utf-8", "surrogateescape")).write_text("x")
    here = os.open(top, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("d" * 200, dir_fd=here)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.symlink(outside, "link", dir_fd=deeper)
        os.close(here)
        here = deeper
    os.close(here)
    (top / "shut").mkdir()
    (top / "shut" / "file").write_text("x")
    (top / "shut").chmod(0)


def test_any_tree_is_removed_without_following_anything(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    grow(top)
    remove_tree(str(top))
    assert not top.exists()
    assert (tmp_path / "outside" / "kept").read_text() == "kept"
    remove_tree(str(top))


def test_a_folder_is_measured_without_following_anything(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    (top / "data").write_bytes(b"x" * 2**20)
    os.link(top / "data", top / "again")
    (top / "link").symlink_to("/usr")
    (top / "sparse").touch()
    os.truncate(top / "sparse", 2**40)
    quota = FolderQuota(str(top), 3 * 2**19, 100)
    assert quota.measure([]) is None
    assert 2**20 <= quota.bytes < 3 * 2**19
    assert quota.files == 4
    (top / "more").write_bytes(b"x" * 2**20)
    assert quota.measure([]) == "disk"
    held = (top / "more").open("rb")
    (top / "more").unlink()
    assert quota.measure([]) is None
    assert quota.measure([os.getpid()]) == "disk"
    held.close()
    assert quota.measure([os.getpid()]) is None
    assert FolderQuota(str(top), 2**30, 3).measure([]) == "files"
    remove_tree(str(top))
