places = {"a": "/srv/rows.txt"}
for p in places.values():
    open(p)
