open("~/.ssh/id_rsa")
