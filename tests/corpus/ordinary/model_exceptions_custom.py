class DataProblem(Exception):
    def __init__(self, message, *, row=None):
        super().__init__(message)
        self.row = row


class MissingColumn(DataProblem):
    pass


def check(rows, needed):
    for number, row in enumerate(rows, 1):
        missing = needed - row.keys()
        if missing:
            raise MissingColumn(f"no {', '.join(sorted(missing))}", row=number)


try:
    check([{"a": 1}, {"b": 2}], {"a"})
except MissingColumn as error:
    print(type(error).__name__, error, error.row, error.args)
except (DataProblem, KeyError) as error:
    raise SystemExit(str(error)) from error
else:
    print("fine")
finally:
    print("checked")
