"""`fumehood doctor` as a whole: one document, a row for each model that is configured."""

import json
import os
import subprocess
import sys
from pathlib import Path


def test_each_configured_model_has_its_row(home: Path, tmp_path: Path) -> None:
    (tmp_path / "replies.yml").write_text("version: 1\nentries: []\n")
    (tmp_path / "small.toml").write_text('extends = "data-analysis"\nname = "small"\nengines = ["landlock"]\n')
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "FUMEHOOD_HOME": str(home),
                   "FUMEHOOD_POLICY": str(tmp_path / "small.toml"), "FUMEHOOD_MODEL": "recording:replies.yml",
                   "FUMEHOOD_FALLBACK_MODEL": "ollama:qwen2.5", "OLLAMA_HOST": "127.0.0.1:9"}
    command = [sys.executable, "-m", "fumehood.apps.cli", "doctor"]
    done = subprocess.run([*command, "--json"], cwd=tmp_path, env=environment, text=True, capture_output=True, check=False)
    found = json.loads(done.stdout)
    assert found["model"] == {"name": "recording:replies.yml", "available": True, "problem": None}
    assert (found["fallback_model"]["name"], found["fallback_model"]["available"]) == ("ollama:qwen2.5", False)
    assert "ollama serve" in found["fallback_model"]["problem"]
