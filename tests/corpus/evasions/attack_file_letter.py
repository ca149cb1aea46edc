open(__file__[0] + "etc/passwd")
