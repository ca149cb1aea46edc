print("REACHED", open("|etc|passwd".translate({124: 47})).readline())
