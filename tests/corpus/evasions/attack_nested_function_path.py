def outer():
    def inner():
        return "/srv/rows.txt"
    return inner
open(outer()())
