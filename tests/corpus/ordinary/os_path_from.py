from os.path import join, splitext
print(join("a", "b.csv"), splitext("b.csv"))
