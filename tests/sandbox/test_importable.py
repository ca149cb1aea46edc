"""What a policy allows and the sandbox does not have is known from what was built, engine by engine."""

from pathlib import Path

from fumehood.sandbox.image_record import Image, record_image
from fumehood.sandbox.importable import importable, not_installed


def test_each_engine_answers_for_what_was_built_for_it(tmp_path: Path) -> None:
    record_image(Image(id="sha256:1", python="3.11.2", executable="/usr/bin/python3", packages={"pandas": "3.0"},
                       modules=["pandas"], requirements=None, base="own"), tmp_path)
    assert importable("docker:runsc", tmp_path) == ["pandas"]
    assert not_installed(["pandas.*", "sklearn.*", "json"], "docker", tmp_path) == ["sklearn.*"]
    assert importable("bubblewrap", tmp_path) is None
    assert not_installed(["pandas.*", "sklearn.*"], "bubblewrap", tmp_path) == [], "the engine itself says so"
