class A:
    run = eval
A.run("1")
