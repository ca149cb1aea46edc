import os
from pathlib import Path

# ruleid: no-links
Path("result.csv").symlink_to("other")
# ruleid: no-links
Path("a").hardlink_to("b")
# ruleid: no-links
make = Path("a").symlink_to
# ruleid: no-links
from os import symlink as point

# ruleid: no-links
os.symlink("a", "b")
# ruleid: no-links
os.link("a", "b")

# ok: no-links
Path("b").write_bytes(Path("a").read_bytes())
# ok: no-links
checked = Path("a").is_symlink()
# ok: no-links
pages = [row.link for row in []]
