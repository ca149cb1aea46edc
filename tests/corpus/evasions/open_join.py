print(open("/".join(["", "etc", "passwd"])).read() if 0 else open("/etc" + "/passwd").read())
