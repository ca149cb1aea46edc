name = input("name? ") if False else "x"
print(name)
