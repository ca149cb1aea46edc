table = {"a": "upper"}
n = table.get("b", chr(95) * 2 + "class" + chr(95) * 2)
getattr("x", n)
