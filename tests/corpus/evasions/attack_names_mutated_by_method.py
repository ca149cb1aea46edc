names = {"a": "upper"}
names.setdefault("b", chr(95) * 2 + "class" + chr(95) * 2)
getattr("x", names["b"])
