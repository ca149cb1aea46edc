raise ValueError from exec("1")
