open((lambda: "/srv/rows.txt")())
