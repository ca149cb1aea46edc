def set_it():
    global where
    where = "/srv/rows.txt"
set_it()
open(where)
