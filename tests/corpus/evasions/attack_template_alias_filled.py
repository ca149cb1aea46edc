T = {"a": "{0}"}
U = T
U["b"] = "{0." + chr(95) * 2 + "class" + chr(95) * 2 + "}"
print(T["b"].format(1))
