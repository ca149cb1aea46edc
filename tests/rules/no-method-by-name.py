import operator

# ruleid: no-method-by-name
from operator import itemgetter, methodcaller

name = input_name = operator.__doc__
# ruleid: no-method-by-name
operator.methodcaller("system", "x")(operator)
# ruleid: no-method-by-name
ordered = sorted([], key=operator.attrgetter(name))
# ruleid: no-method-by-name
take = operator.attrgetter("os.system")
# ruleid: no-method-by-name
frame = operator.attrgetter("total", "gi_frame")
# ruleid: no-method-by-name
call = operator.methodcaller
# ruleid: no-method-by-name
several = list(map(operator.attrgetter, ["os"]))

# ok: no-method-by-name
from operator import attrgetter

# ok: no-method-by-name
best = sorted([{"a": 1}], key=operator.itemgetter("a"))
# ok: no-method-by-name
items = sorted([], key=attrgetter("price", "name"))
# ok: no-method-by-name
lowest = sorted([], key=lambda row: row.total)
