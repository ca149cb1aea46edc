f = lambda: "/srv/rows.txt"
open(f())
