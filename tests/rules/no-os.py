# ruleid: no-os
import os

# ruleid: no-os
import os as o

# ruleid: no-os
import math, os, json

# ruleid: no-os
from os import system

# ruleid: no-os
from os.path import join, os as paths

# ruleid: no-os
import os.path as p

# ruleid: no-os
import posix

# ruleid: no-os
from os import (
    # statistics
    listdir
    as  # rename
    run_model,
)

# ruleid: no-os
import posixpath


def mean(values):
    try:
        # ruleid: no-os
        import os
    finally:
        return sum(values) / len(values)


# ruleid: no-os
total = 1 + 1; import os

# ok: no-os
from pathlib import Path

# ok: no-os
import osmium

# ok: no-os
files = [path.name for path in Path("os").iterdir()]
