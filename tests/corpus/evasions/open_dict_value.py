cfg = {"src": "/etc/passwd"}
print(open(cfg["src"]).read())
