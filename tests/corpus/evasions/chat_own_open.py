def go():
    def open(p):
        return p
    return open("x")
print(open("/etc/passwd").read())
