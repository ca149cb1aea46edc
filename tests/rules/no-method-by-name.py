import operator

# ruleid: no-method-by-name
from operator import attrgetter as pick

# ruleid: no-method-by-name
from operator import itemgetter, methodcaller

# ruleid: no-method-by-name
operator.methodcaller("system", "x")(operator)
# ruleid: no-method-by-name
ordered = sorted([], key=operator.attrgetter("total"))
# ruleid: no-method-by-name
call = operator.methodcaller

# ok: no-method-by-name
best = sorted([{"a": 1}], key=operator.itemgetter("a"))
# ok: no-method-by-name
lowest = sorted([], key=lambda row: row.total)
