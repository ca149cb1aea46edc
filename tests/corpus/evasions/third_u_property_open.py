class A:
    f = staticmethod(open)
print(A.f(chr(47) + "etc" + chr(47) + "passwd").read())
