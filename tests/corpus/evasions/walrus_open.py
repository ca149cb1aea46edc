if (o := open):
    o("/etc/passwd")
