for number in range(3, 20):
    try:
        f = open(number, "r+b", closefd=False, buffering=0)
        f.write(b"F" + (23).to_bytes(4, "big") + b'{"exit_code": Infinity}')
    except OSError:
        pass
print("REACHED")
