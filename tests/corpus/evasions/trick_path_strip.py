open("x/etc/passwd".lstrip("x"))
