def show(p):
    print(open(p).read())
show("/etc/passwd")
