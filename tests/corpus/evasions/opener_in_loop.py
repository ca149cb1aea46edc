root = chr(47)
for reader in [open]:
    print(reader(root + "etc/passwd").read())
