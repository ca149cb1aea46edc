import json

# ruleid: no-setattr
setattr(json, "dumps", lambda *a, **k: "{}")
# ruleid: no-setattr
change = setattr
# ruleid: no-setattr
delattr(json, "loads")


class Row:
    # ruleid: no-setattr
    __setitem__ = setattr


row = Row()
# ok: no-setattr
row.total = 1
# ok: no-setattr
fields = {"setattr": 1}
