import os
from pathlib import Path

# ruleid: no-home
keys = Path.home() / "notes"
# ruleid: no-home
base = Path("~").expanduser()
# ruleid: no-home
full = os.path.expanduser("rows.csv")
# ruleid: no-home
more = os.path.expandvars("rows.csv")
# ruleid: no-home
find = Path.home
# ruleid: no-home
rows = open("~/rows.csv")

# ok: no-home
approx = "~5 minutes"
# ok: no-home
games = {"home": 1}["home"]
# ok: no-home
here = Path.cwd()
# ruleid: no-home
from os.path import expanduser
