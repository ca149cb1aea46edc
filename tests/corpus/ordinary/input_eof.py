try:
    n = int(input("n? "))
except EOFError:
    n = 3
print(n)
