x: dict[exec("1"), int] = {}
