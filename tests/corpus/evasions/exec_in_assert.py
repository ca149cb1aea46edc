assert exec("1") is None
