T = {"a": "{0}"}
T |= {"b": "{0.real.x}" + chr(95)}
print(T["b"].format(1))
