def read(p="/srv/rows.txt"):
    return open(p)
read()
