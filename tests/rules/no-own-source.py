import os
import sys
from pathlib import Path

# ruleid: no-own-source
text = open(__file__).read()
# ruleid: no-own-source
Path(__file__).write_text("print(1)")
# ruleid: no-own-source
os.remove(__file__)
# ruleid: no-own-source
open(sys.argv[0], "a").write("x")

# ok: no-own-source
name = Path(__file__).name
# ok: no-own-source
here = Path(__file__).parent / "rows.csv"
