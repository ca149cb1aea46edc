# ruleid: no-importlib
import importlib

# ruleid: no-importlib
from importlib import import_module as load

# ruleid: no-importlib
import importlib.util

# ruleid: no-importlib
from importlib.machinery import SourceFileLoader

# ruleid: no-importlib
import imp

# ruleid: no-importlib
import pkgutil

# ruleid: no-importlib
from runpy import run_path

# ruleid: no-importlib
import zipimport, json

# ok: no-importlib
import important

# ok: no-importlib
from math import sqrt

# ok: no-importlib
site = {"imp": sqrt(4)}
