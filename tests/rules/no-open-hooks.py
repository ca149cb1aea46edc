import csv
import io

# ruleid: no-open-hooks
a = open("a", opener=print)
# ruleid: no-open-hooks
open(1, "wb").write(b"x")
# ruleid: no-open-hooks
b = io.open_code("a.py")
# ruleid: no-open-hooks
c = csv.tools.open_code("x")

# ok: no-open-hooks
d = open("a", "w")
# ok: no-open-hooks
e = open("1")
# ok: no-open-hooks
opener = {"opener": 1}
