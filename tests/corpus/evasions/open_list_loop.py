for p in ["a.txt", "/etc/shadow"]:
    print(open(p).read())
