g = lambda p, o=open: o(p)
print(g(chr(47) + "etc" + chr(47) + "passwd").read())
