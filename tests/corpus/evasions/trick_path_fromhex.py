open(bytes.fromhex("2f657463").decode())
