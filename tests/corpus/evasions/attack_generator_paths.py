for name in (p for p in ["/srv/rows.txt"]):
    open(name)
