open("x|/etc/passwd".split("|")[1])
