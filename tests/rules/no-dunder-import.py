# ruleid: no-dunder-import
__import__("os").system("echo x")
# ruleid: no-dunder-import
handle = __import__(name="subprocess", fromlist=["run"])
# ruleid: no-dunder-import
load = __import__
# ruleid: no-dunder-import
modules = list(map(__import__, ["json", "csv"]))
# ruleid: no-dunder-import
first = (lambda name, loader=__import__: loader(name))("math")

# ok: no-dunder-import
import json

# ok: no-dunder-import
text = "__import__ is not for programs"
# ok: no-dunder-import
imported = json.loads("1")
