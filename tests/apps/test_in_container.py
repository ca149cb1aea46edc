"""Inside other people's containers: no daemon, no namespaces, no rights, nothing but a Python and its libraries."""

import os
import sys
from pathlib import Path

import docker
import pytest
from fumehood.sandbox.docker import DockerEngine
from fumehood.sandbox.environment import find_environment

pytestmark = pytest.mark.docker
REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def image() -> str:
    engine = DockerEngine()
    why = engine.unavailable()
    if why is not None:
        if "docker" in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
            pytest.fail(why)
        pytest.skip(why)
    return engine.image().id


def test_the_demo_runs_in_an_unprivileged_container(image: str, tmp_path: Path) -> None:
    environment = find_environment()
    assert environment is not None
    # The Pythons are this host's; the container has the libraries of a Debian without even certificates.
    folders = {REPOSITORY, Path(sys.prefix), Path(sys.base_prefix), environment.python.parent.parent.parent,
               environment.python.resolve().parent.parent} - {Path("/usr")}
    (tmp_path / "environments").symlink_to(environment.python.parent.parent.parent)
    volumes = {str(folder): {"bind": str(folder), "mode": "ro"} for folder in folders}
    volumes[str(tmp_path)] = {"bind": str(tmp_path), "mode": "rw"}
    client = docker.from_env()
    try:
        said = client.containers.run(
            image, ["-m", "fumehood.apps.cli", "demo"], entrypoint=sys.executable, user=f"{os.getuid()}:{os.getgid()}",
            cap_drop=["ALL"], security_opt=["no-new-privileges:true"], network_disabled=True, remove=True, stderr=True,
            volumes=volumes, working_dir=str(tmp_path),
            environment={"FUMEHOOD_HOME": str(tmp_path), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"})
    finally:
        client.close()
    text = said.decode()
    assert "mean_conversion_percent: 3.84" in text
    assert "engine docker not used" in text
    assert " engine   landlock," in text
    assert "witness: kernel" in text
