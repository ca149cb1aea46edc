import pathlib
match pathlib.Path("x"):
    case pathlib.Path(x):
        print(x)
