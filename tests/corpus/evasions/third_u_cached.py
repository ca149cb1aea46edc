from functools import cache
read = cache(open)
print(read(chr(47) + "etc" + chr(47) + "passwd").read())
