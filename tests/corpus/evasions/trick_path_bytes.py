open(bytes([47, 101, 116, 99]).decode())
