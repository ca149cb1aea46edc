# ruleid: no-inspection
import inspect

# ruleid: no-inspection
import traceback

# ruleid: no-inspection
from inspect import currentframe

# ruleid: no-inspection
from types import FunctionType

# ruleid: no-inspection
import dis, json

# ok: no-inspection
import typing

# ok: no-inspection
kind = type(typing).__name__
# ok: no-inspection
types = {"inspect": kind}
