def where():
    return "/etc/passwd"
print(open(where()).read())
