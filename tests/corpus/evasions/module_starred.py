import fractions
first, *rest = fractions, 1
print(first.sys.modules)
