import io
print("REACHED", io.FileIO(1, "w", closefd=False).write(b"x\n"))
