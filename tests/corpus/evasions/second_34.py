s = "{x.__init__}"
print(f"{s}".format(x=1))
