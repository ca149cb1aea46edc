open(*["/srv/rows.txt"])
