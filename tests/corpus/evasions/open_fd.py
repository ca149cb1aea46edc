open(1, "wb").write(b"x")
