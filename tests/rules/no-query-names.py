import pandas as pd
from scipy.spatial import KDTree

df = pd.DataFrame({"age": [20, 40]})
limit = 30
text = open("rule.txt").read()
# ruleid: no-query-names
a = df.query("age > @limit.real")
# ruleid: no-query-names
l = df.query("age > @pd.eval ('1')")
# ruleid: no-query-names
m = df.query("age > @limit [0]")
# ruleid: no-query-names
n = df.query("age > @_limit")
# ruleid: no-query-names
b = df.query("@pd.io.common.os.system('x') == 0", engine="python")
# ruleid: no-query-names
c = df.query(f"age > {limit}")
# ruleid: no-query-names
d = df.query("age > " + text)
# ruleid: no-query-names
e = df.query("age > {}".format(text))
# ruleid: no-query-names
pick = df.query
# ruleid: no-query-names
f = df.pipe(pd.DataFrame.query, "age > 30")
# ruleid: no-query-names
g = df.query("age.__class__ == 1")
# ok: no-query-names
h = df.query("age > 30", engine="python")
# ruleid: no-query-names
i = df.query("age > %s" % text)
# ruleid: no-query-names
z = df.query(text)

# ok: no-query-names
tree = KDTree([[0, 0], [1, 1]])
# ok: no-query-names
hit = tree.query(df.to_numpy())
# ok: no-query-names
j = df.query("age > 30")
# ok: no-query-names
k = df.query("age > 30 and age < 50", inplace=False)
# ok: no-query-names
distance, index = KDTree([[0, 0], [1, 1]]).query([0.2, 0.1])
# ok: no-query-names
near = KDTree([[0, 0], [1, 1]]).query(df.to_numpy(), k=1)
# ok: no-query-names
o = df.query("age > @limit and age < @limit + 10 and name == 'a@b'")
# ok: no-query-names
rows = df[df["age"] > limit]
