def names():
    yield "/srv/rows.txt"
for n in names():
    open(n)
