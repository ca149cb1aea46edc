from pathlib import Path
list(Path("/").glob("*"))
