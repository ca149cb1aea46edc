class A:
    o = open
A.o("/srv/rows.txt")
