import statistics
import string

# ruleid: no-format-on-variables
from string import Formatter

u = chr(95) * 2
# ruleid: no-format-on-variables
a = ("{0.mean." + u + "globals" + u + "}").format(statistics)
# ruleid: no-format-on-variables
b = "{s.mean}".format_map({"s": statistics})
# ruleid: no-format-on-variables
c = string.Formatter().format("{0.mean}", statistics)
# ruleid: no-format-on-variables
d = "".join(["{0", "}"]).format(statistics)
# ruleid: no-format-on-variables
e = open("template.txt").read().format(statistics)
# ruleid: no-format-on-variables
f = list(map(str.format, ["{0}"], [statistics]))
templates = {"a": "{0}"}
# ruleid: no-format-on-variables
g = str.join("", ["{0", "}"]).format(statistics)

# ok: no-format-on-variables
g2 = templates["a"].format(statistics)

# ok: no-format-on-variables
h = "{name:<6}{n:03d}".format(name="Ann", n=3)
template = "{name} has {count} items"
# ok: no-format-on-variables
i = [template.format(name=n, count=c) for n, c in [("Ann", 2)]]
# ok: no-format-on-variables
j = ("{}" + " and {}").format(1, 2)
# ok: no-format-on-variables
k = string.Template("$a").substitute(a=1)
# ok: no-format-on-variables
wide = " | ".join(["{:>10}"] * 3).format(1, 2, 3)
