from pathlib import Path
here = Path.cwd()
print(open(here.root + "etc/passwd"))
