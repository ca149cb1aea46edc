dict(**{"a": exec("1")})
