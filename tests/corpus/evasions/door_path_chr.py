print("REACHED", open(chr(47) + "etc/passwd").readline())
