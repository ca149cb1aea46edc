import csv, json, traceback, sys, logging
class DataError(Exception):
    """Base for data problems."""
class ColumnMissing(DataError, KeyError):
    def __init__(self, column, available):
        super().__init__(f"column {column!r} missing")
        self.column = column
        self.available = list(available)
    def __str__(self):
        return f"{self.args[0]} (have {', '.join(self.available)})"
def load(path, column):
    try:
        with open(path, newline="") as fh:
            reader = csv.DictReader(fh)
            if column not in (reader.fieldnames or []):
                raise ColumnMissing(column, reader.fieldnames or [])
            return [float(row[column]) for row in reader]
    except ValueError as err:
        raise DataError(f"{path}: not a number") from err
    finally:
        logging.debug("read %s", path)
errors = []
for path in ("a.csv", "b.csv"):
    try:
        values = load(path, "x")
    except* (OSError, DataError) as group:
        for e in group.exceptions:
            errors.append({"type": type(e).__name__, "message": str(e), "cause": repr(e.__cause__)})
    else:
        print(path, sum(values))
try:
    raise ExceptionGroup("several", [ValueError("a"), TypeError("b")])
except ExceptionGroup as eg:
    ok, rest = eg.split(ValueError)
    print(ok, rest, eg.message)
try:
    1 / 0
except ZeroDivisionError:
    traceback.print_exc()
    exc_type, exc = ZeroDivisionError, "division"
e = ValueError("x"); e.add_note("row 5")
print(json.dumps(errors), e.__notes__, file=sys.stdout, flush=True)
