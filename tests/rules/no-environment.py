import os

# ruleid: no-environment
from os import environ as settings

# ruleid: no-environment
key = os.environ["API_KEY"]
# ruleid: no-environment
home = os.getenv("HOME", "/")
# ruleid: no-environment
bad = [name for name in os.environ if "TOKEN" in name]
# ruleid: no-environment
os.putenv("PATH", "x")
# ruleid: no-environment
everything = os.environb

# ok: no-environment
environ = {"HOME": "a"}["HOME"]
# ok: no-environment
here = os.getcwd()
