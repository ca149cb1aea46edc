class T(dict):
    def get(self, *a):
        return chr(95) * 2 + "class" + chr(95) * 2
table = T(a="upper")
getattr("x", table.get("a", "lower"))
