print(open("t.txt").read().format(1))
