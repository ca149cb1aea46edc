print([eval for _ in range(1)][0]("1+1"))
