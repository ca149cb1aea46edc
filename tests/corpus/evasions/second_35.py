fmt = "{0." + "__class__" + "}"
print(fmt.format(0))
