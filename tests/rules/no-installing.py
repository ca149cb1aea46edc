# ruleid: no-installing
import pip

# ruleid: no-installing
from pip._internal.cli.main import main as setup

# ruleid: no-installing
import ensurepip

# ruleid: no-installing
import micropip

import tools

# ruleid: no-installing
tools.main(["install", "requests"])

# ok: no-installing
import pipeline

# ok: no-installing
pip = {"install": pipeline}
# ok: no-installing
note = "pip install pandas"
