open(len("abc"), "rb")
