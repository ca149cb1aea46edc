print("REACHED", open("etc/passwd".rjust(11, "/")).readline())
