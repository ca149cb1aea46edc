from pathlib import Path
Path("x").symlink_to("y")
