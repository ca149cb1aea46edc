o = open
o("/etc/passwd")
