"""Runs once with the sandbox's own Python, when that is built: matplotlib's list of fonts, which it would else make anew
in every sandbox, at the first plot.

`font_cache.py own` lists matplotlib's fonts alone (nothing of the host's can be seen in a sandbox); without it, also those
of the system, and the script removes itself, as the last step of an image.
"""

import importlib
import importlib.util
import os
import sys
import tempfile
from typing import Any


def main(own: bool) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MPLCONFIGDIR"] = folder
        manager: Any = importlib.import_module("matplotlib.font_manager")
        find = manager.findSystemFonts
        if own:
            manager.findSystemFonts = lambda paths=None, fontext="ttf": find(paths, fontext) if paths else []
        target = os.path.join(importlib.import_module("matplotlib").get_data_path(),
                              f"fontlist-v{manager.FontManager.__version__}.json")
        manager.json_dump(manager.FontManager(), f"{target}.new")
        os.chmod(f"{target}.new", 0o644)
        os.replace(f"{target}.new", target)


if __name__ == "__main__":
    main(sys.argv[1:] == ["own"])
    if sys.argv[1:] != ["own"]:
        os.unlink(__file__)
