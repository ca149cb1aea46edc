# ruleid: no-namespaces
b = globals()["x"]
# ruleid: no-namespaces
text = "{a}".format(**locals())
# ruleid: no-namespaces
names = vars()
# ruleid: no-namespaces
tables = list(map(vars, [b]))
# ruleid: no-namespaces
look = globals

# ruleid: no-namespaces
inner = vars(b.real)

# ok: no-namespaces
shown = vars(b)
# ok: no-namespaces
values = {"globals": 1, "vars": 2}
# ok: no-namespaces
number = values["vars"]
# ok: no-namespaces
model_vars = ["age", "income"]
# ok: no-namespaces
vars = ["a", "b"]
# ok: no-namespaces
print(len(vars))
