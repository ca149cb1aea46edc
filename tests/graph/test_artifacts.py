"""Declared outputs against the files that a run made."""

import pytest
from fumehood.graph.artifacts import check_outputs
from fumehood.sandbox.evidence import Artifact, RejectedArtifact
from fumehood.sandbox.manifest import OutputSpec


def made(path: str, size: int = 1000, media_type: str = "text/csv") -> Artifact:
    return Artifact(path=path, bytes=size, sha256="0" * 64, media_type=media_type)


def refused(path: str, reason: str = "a symbolic link") -> RejectedArtifact:
    return RejectedArtifact(path=path, reason=reason)


@pytest.mark.parametrize("path", ["output/chart.png", "chart.png"])
def test_a_bare_name_is_met_in_the_workspace_and_below_output(path: str) -> None:
    checks, missing, invalid = check_outputs([OutputSpec(pattern="chart.png")], [made(path, media_type="image/png")],
                                             [])
    assert (missing, invalid) == ([], [])
    assert [(check.name, check.held) for check in checks] == [("output chart.png", True)]


def test_a_missing_file_is_named_with_what_is_there() -> None:
    checks, missing, invalid = check_outputs([OutputSpec(pattern="chart.png")], [made("output/Chart.PNG"),
                                                                                 made("figures/chart.png")], [])
    assert not checks[0].held
    assert invalid == []
    assert "output/chart.png was not written" in missing[0]
    assert "output/Chart.PNG" in missing[0]
    assert "figures/chart.png" in missing[0]
    assert "no file was" in check_outputs([OutputSpec(pattern="a.csv")], [], [])[1][0]


@pytest.mark.parametrize(("spec", "artifact", "said"), [
    ({}, made("output/a.csv", 0, "inode/x-empty"), "is empty"),
    ({"min_bytes": 50}, made("output/a.csv", 10), "at least 50"),
    ({"max_bytes": 50}, made("output/a.csv", 100), "at most 50"),
    ({"media_type": "image/png"}, made("output/a.csv"), "image/png is declared"),
    ({"media_type": "application/json"}, made("output/a.csv", media_type="text/plain"), "application/json")])
def test_a_file_that_cannot_be_taken(spec: dict[str, object], artifact: Artifact, said: str) -> None:
    checks, missing, invalid = check_outputs([OutputSpec.model_validate({"pattern": "a.csv", **spec})], [artifact], [])
    assert missing == []
    assert said in invalid[0]
    assert not checks[0].held


@pytest.mark.parametrize(("declared", "found"), [
    ("image/*", "image/png"), ("text/markdown", "text/plain"), ("text/csv", "text/plain"),
    ("text/plain", "text/csv"), ("text/*", "text/csv"), ("application/json", "application/json")])
def test_types_that_content_cannot_tell_apart(declared: str, found: str) -> None:
    _, missing, invalid = check_outputs([OutputSpec(pattern="a.x", media_type=declared)], [made("output/a.x",
                                                                                                media_type=found)], [])
    assert (missing, invalid) == ([], [])


def test_an_empty_file_may_be_allowed() -> None:
    assert check_outputs([OutputSpec(pattern="a.log", min_bytes=0)], [made("output/a.log", 0, "inode/x-empty")],
                         [])[2] == []


@pytest.mark.parametrize(("pattern", "path"), [
    ("report.csv", "output/report.csv"), ("hop/hostname", "hop"), ("hop/hostname", "output/hop"),
    ("*.csv", "output/report.csv")])
def test_what_was_refused_is_invalid_and_not_missing(pattern: str, path: str) -> None:
    checks, missing, invalid = check_outputs([OutputSpec(pattern=pattern)], [], [refused(path)])
    assert missing == []
    assert path in invalid[0]
    assert "symbolic link" in invalid[0]
    assert not checks[0].held


def test_a_refused_file_of_another_name_does_no_harm() -> None:
    checks, missing, invalid = check_outputs([OutputSpec(pattern="ok.csv")], [made("output/ok.csv")],
                                             [refused("output/hop"), refused("output/ok.csv.lnk"), refused("out")])
    assert (missing, invalid, checks[0].held) == ([], [], True)


def test_one_good_file_of_a_pattern_does_not_excuse_a_bad_one() -> None:
    checks, _, invalid = check_outputs([OutputSpec(pattern="output/*.png", media_type="image/png")],
                                       [made("output/a.png", media_type="image/png"), made("output/b.png")], [])
    assert "output/b.png" in invalid[0]
    assert not checks[0].held
    assert check_outputs([], [made("x")], [refused("y")]) == ([], [], [])


def test_every_declared_output_is_checked() -> None:
    specs = [OutputSpec(pattern=name) for name in ("a.csv", "b.csv", "c.csv")]
    checks, missing, _ = check_outputs(specs, [made("output/b.csv")], [])
    assert [check.held for check in checks] == [False, True, False]
    assert len(missing) == 2
