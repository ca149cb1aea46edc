with open(int("1"), "w", closefd=False) as f:
    f.write("REACHED\n")
