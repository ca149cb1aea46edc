o = open if len("a") else print
o("/srv/rows.txt")
