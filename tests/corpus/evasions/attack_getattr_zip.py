for a, n in zip(["a"], [chr(95) * 2 + "class" + chr(95) * 2]):
    getattr("x", n)
