name = "__".join(["", "class_getitem", ""])
print(name)
