"""A sandbox's first plot finds the list of fonts that was made with its Python."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.environment import build_environment
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.session import Session

PLOT = """
import os
import matplotlib.pyplot as plt
from matplotlib import font_manager
cache = os.environ['MPLCONFIGDIR']
# matplotlib replaces a list that it does not take by a file of its own.
lists = [(name, os.path.islink(f'{cache}/{name}')) for name in os.listdir(cache) if name.startswith('fontlist')]
print(lists == [(f'fontlist-v{font_manager.FontManager.__version__}.json', True)],
      all(os.path.exists(font.fname) for font in font_manager.fontManager.ttflist))
plt.plot([1, 2])
plt.title('a title')
plt.savefig('output/plot.png')
"""


@pytest.mark.parametrize("name", ["bubblewrap", "landlock"])
def test_list_of_fonts_is_there_and_taken(name: str, tmp_path: Path, usable: Callable[[str], Engine]) -> None:
    build_environment(choose=False)
    engine = usable(name)
    with Session.open(engine, limits=Limits(wall_s=120, cpu_s=60), manifest=Manifest(), run_id="fonts") as session:
        report = session.run(PLOT, folder=tmp_path)
    assert report.execution.stdout == "True True\n", report.execution
