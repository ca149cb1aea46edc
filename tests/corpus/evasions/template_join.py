print("".join(["{0.__cl", "ass__}"]).format(1))
