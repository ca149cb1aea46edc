(open if len("a") else print)("/srv/rows.txt")
