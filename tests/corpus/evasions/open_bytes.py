open(b"/etc/passwd")
