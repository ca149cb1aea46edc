class A(str):
    pass
a = A(open("t.txt").read())
print(a.format(1))
