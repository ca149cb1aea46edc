import statistics

# ruleid: no-format-fields
a = "{0._rows}".format(statistics)
# ruleid: no-format-fields
b = "{x.gi_frame}".format(x=statistics)
# ruleid: no-format-fields
c = "value: {m.sys.path}".format(m=statistics)
# ruleid: no-format-fields
d = "{row[_secret]}"

# ok: no-format-fields
e = "{0.name} {1[key]}".format(statistics, {"key": 1})
# ok: no-format-fields
f = "{:.2f}".format(1.0)
# ok: no-format-fields
g = '{"a": [1, 2]}'
# ok: no-format-fields
h = "{first_name}".format(first_name="Ann")
