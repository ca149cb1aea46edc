"""The wheel carries everything: installed in a fresh environment, far from the clone, the demo answers."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

from fumehood.sandbox.environment import build_environment
from fumehood.sandbox.packages import data_folder

ROOT = Path(__file__).parents[1]


def test_demo_from_an_installed_wheel(tmp_path: Path) -> None:
    uv = Path(sys.executable).with_name("uv")
    builder = [str(uv), "build", "--wheel", "--out-dir", str(tmp_path / "dist"), str(ROOT)]
    subprocess.run(builder, check=True, capture_output=True)
    wheel = next((tmp_path / "dist").glob("*.whl"))
    venv.EnvBuilder(symlinks=True, with_pip=False).create(tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    requirements = tmp_path / "locked.txt"
    subprocess.run([str(uv), "export", "--project", str(ROOT), "--locked", "--no-emit-project", "--no-dev", "--quiet",
                    "--output-file", str(requirements)], check=True, capture_output=True)
    subprocess.run([str(uv), "pip", "install", "--quiet", "--python", str(python), "--requirements", str(requirements)],
                   check=True, capture_output=True)
    subprocess.run([str(uv), "pip", "install", "--quiet", "--python", str(python), "--no-deps", str(wheel)],
                   check=True, capture_output=True)
    build_environment()
    home = tmp_path / "home"
    home.mkdir()
    (home / "environments").symlink_to(data_folder() / "environments")
    done = subprocess.run(
        [str(python), "-m", "fumehood.apps.cli", "demo", "--engine", "bubblewrap", "--json"], cwd=tmp_path, text=True,
        capture_output=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "FUMEHOOD_HOME": str(home)})
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert outcome["status"] == "answered"
    assert round(outcome["result"]["mean_conversion_percent"], 2) == 3.84
