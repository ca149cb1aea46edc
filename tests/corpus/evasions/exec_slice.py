x = [1]
x[exec("print(1)"):]
