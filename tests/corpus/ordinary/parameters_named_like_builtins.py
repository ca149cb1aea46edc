def describe(input, help="", compile=False):
    return f"{input} {help} {compile}"
print(describe(3))
