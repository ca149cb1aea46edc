class A:
    T = {"a": "{0}"}
A.T["a"] = "{0." + chr(95) + "}"
T = {"a": "{0}"}
print(A.T["a"].format(1))
