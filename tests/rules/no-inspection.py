import traceback
import types as kinds

# ruleid: no-inspection
import inspect

# ruleid: no-inspection
from inspect import currentframe

# ruleid: no-inspection
from types import FunctionType

# ruleid: no-inspection
from traceback import walk_stack

# ruleid: no-inspection
import dis, json

# ruleid: no-inspection
frames = traceback.extract_stack()
# ruleid: no-inspection
make = kinds.FunctionType

# ok: no-inspection
from types import SimpleNamespace

# ok: no-inspection
kind = type(SimpleNamespace(a=1)).__name__
try:
    print(kind)
except ValueError:
    # ok: no-inspection
    traceback.print_exc()
# ok: no-inspection
point = kinds.SimpleNamespace(x=1)
