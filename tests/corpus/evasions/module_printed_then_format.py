import statistics
t = "{0.sys}"
print(t.format(statistics))
