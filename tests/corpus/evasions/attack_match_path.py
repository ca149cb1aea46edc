match "/srv/rows.txt":
    case name:
        open(name)
