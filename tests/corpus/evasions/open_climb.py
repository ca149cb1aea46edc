open("data/../../secret.txt")
