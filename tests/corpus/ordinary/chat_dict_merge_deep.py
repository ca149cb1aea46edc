from copy import deepcopy
import json, pprint
from collections.abc import Mapping, MutableMapping
def deep_merge(a, b):
    out = deepcopy(a)
    for k, v in b.items():
        out[k] = deep_merge(out[k], v) if isinstance(v, Mapping) and isinstance(out.get(k), Mapping) else deepcopy(v)
    return out
class AttrDict(dict):
    def path(self, dotted, default=None):
        cur = self
        for part in dotted.split("."):
            if not isinstance(cur, Mapping) or part not in cur:
                return default
            cur = cur[part]
        return cur
    def __missing__(self, key):
        value = self[key] = type(self)()
        return value
cfg = AttrDict(deep_merge(json.load(open("base.json")), json.load(open("local.json"))))
cfg["new"]["deep"]["value"] = 1
pprint.pprint(cfg, width=60, sort_dicts=False)
print(cfg.path("db.name", "n/a"), cfg | {"x": 1}, {**cfg, "y": 2} if cfg else None)
