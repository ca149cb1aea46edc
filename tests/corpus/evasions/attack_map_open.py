list(map(open, ["/srv/rows.txt"]))
