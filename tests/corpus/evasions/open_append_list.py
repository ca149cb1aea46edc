names = []
names.append("/etc/passwd")
for n in names:
    open(n)
