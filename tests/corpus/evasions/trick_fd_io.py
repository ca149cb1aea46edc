import io
number = 1 + 2
io.open(number, "wb", closefd=False)
