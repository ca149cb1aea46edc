open(**{"file": "/srv/rows.txt"})
