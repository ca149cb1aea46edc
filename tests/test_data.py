"""Programs that tests read as data are not taken for tests: importing one would run it, attacks included."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@pytest.mark.parametrize("folder", ["corpus", "rules"])
@pytest.mark.parametrize("name", ["test_planted.py", "planted_test.py"])
def test_nothing_in_a_folder_of_programs_is_imported(folder: str, name: str, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    (tests / folder / "evasions").mkdir(parents=True)
    for place in (tests / folder / name, tests / folder / "evasions" / name):
        place.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    (tests / "test_real.py").write_text("def test_real():\n    pass\n")
    settings = (TESTS.parent / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\npython_files = test_*.py\n")
    assert 'python_files = ["test_*.py"]' in settings
    ignored = [line for line in (TESTS / "conftest.py").read_text(encoding="utf-8").splitlines()
               if line.startswith("collect_ignore = ")]
    (tests / "conftest.py").write_text("\n".join(ignored))
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
    assert not (tmp_path / "ran").exists()
