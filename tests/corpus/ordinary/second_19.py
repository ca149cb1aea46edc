try:
    with open("missing.csv") as fh:
        rows = fh.readlines()
except FileNotFoundError as exc:
    print(f"no file: {exc.filename}", type(exc).__name__, exc.args[0])
    rows = []
finally:
    print(len(rows))
