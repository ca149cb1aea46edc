# ruleid: no-relative-import
from . import helper

# ruleid: no-relative-import
from .helper import mean

# ruleid: no-relative-import
from .. import tools as t

# ok: no-relative-import
from statistics import mean

# ok: no-relative-import
text = "from . import x"
