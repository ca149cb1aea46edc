if (p := "/srv/rows.txt"):
    open(p)
