def shift(text, by):
    table = str.maketrans({chr(65 + n): chr(65 + (n + by) % 26) for n in range(26)})
    return text.upper().translate(table)


message = "ATTACK AT DAWN"
secret = shift(message, 3)
print(secret, shift(secret, -3), bytes.fromhex("48656c6c6f").decode(), "x".rjust(5, "."))
