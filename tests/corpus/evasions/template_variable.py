t = "{0.__class__.__base__}"
print(t.format(1))
