"""Operator's files that are none, or that would bring down whoever reads them."""

import os
import socket
from pathlib import Path

import pytest
from fumehood.policies.reading import MOST_DEPTH, Unreadable, parse_json, parse_toml, parse_yaml, read_file, read_text

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefg", "bcdefgh", strict=True))


def make(kind: str, folder: Path) -> Path:
    path = folder / "given"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))
    elif kind == "huge":
        with path.open("wb") as handle:
            handle.truncate(1 << 40)
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "device":
        return Path("/dev/zero")
    elif kind == "name":
        return Path("a\0b")
    elif kind == "bytes":
        path.write_bytes("größer".encode("latin-1"))
    return path


@pytest.mark.parametrize(("kind", "said"), [
    ("folder", "is a folder"), ("pipe", "is a named pipe"), ("socket", "No such device"), ("huge", "is larger than"),
    ("loop", "symbolic links"), ("device", "is a device"), ("absent", "No such file"), ("name", "null"),
    ("bytes", "is not UTF-8 (byte 0xf6 at offset 2)")])
def test_what_is_no_text_file_is_refused_in_a_sentence(kind: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        read_text(make(kind, tmp_path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_at_the_bound_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100)
    assert read_file(tmp_path / "a", most=100) == b"x" * 100
    with pytest.raises(Unreadable, match="larger than 99 bytes"):
        read_file(tmp_path / "a", most=99)


@pytest.mark.parametrize(("text", "said"), [
    (BOMB, "unfolds to more than"), ("a: &a [1, *a]", "holds itself"), ("a: &a\n  <<: *a", "holds itself"),
    ("[" * 20_000, "nest"), ("[" * 200 + "]" * 200, "nested more than"), ("- " * 5_000 + "x", "nest"),
    ("a: [", "while parsing"), ("a\n---\nb", "single document"), ("\0", "control characters"),
    ("!!python/object/apply:os.system [id]", "could not determine a constructor"), ("? [a]\n: b", "unhashable")])
def test_yaml_that_would_unfold_or_nest_without_end_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        parse_yaml(text)
    assert "\n" not in str(caught.value)


def test_yaml_with_a_few_aliases_is_read() -> None:
    assert parse_yaml("a: &x {k: 1}\nb: *x\nc: [*x, *x]") == {"a": {"k": 1}, "b": {"k": 1}, "c": [{"k": 1}, {"k": 1}]}
    assert parse_yaml("") is None


@pytest.mark.parametrize("depth", [MOST_DEPTH + 1, 5_000, 200_000])
@pytest.mark.parametrize("how", ["array", "object"])
def test_json_and_toml_that_nest_without_end_are_refused(depth: int, how: str) -> None:
    text = "[" * depth + "]" * depth if how == "array" else '{"a":' * depth + "1" + "}" * depth
    with pytest.raises(ValueError, match="nested more than"):
        parse_json(text)
    table = text if how == "array" else "{a=" * depth + "1" + "}" * depth
    with pytest.raises(ValueError, match="nested more than"):
        parse_toml(f"x = {table}")


def test_what_nests_as_deeply_as_is_taken_is_read() -> None:
    assert parse_json("[" * MOST_DEPTH + "]" * MOST_DEPTH)
    assert parse_toml("x = " + "[" * (MOST_DEPTH - 1) + "]" * (MOST_DEPTH - 1))
