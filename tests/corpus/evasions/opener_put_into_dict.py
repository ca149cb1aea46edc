readers = {}
readers["plain"] = open
print(readers["plain"](chr(47) + "etc/passwd").read())
