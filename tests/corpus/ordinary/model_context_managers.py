from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
import io


@contextmanager
def section(title):
    print(f"== {title}")
    try:
        yield title
    finally:
        print("--")


class Ledger:
    def __enter__(self):
        self._open = True
        return self

    def __exit__(self, kind, error, trace):
        self._open = False
        return kind is KeyError


buffer = io.StringIO()
with redirect_stdout(buffer), section("a"):
    print("inside")
with ExitStack() as stack:
    files = [stack.enter_context(open(name)) for name in ("a.txt", "b.txt")]
    print([len(file.read()) for file in files])
with suppress(FileNotFoundError), Ledger() as ledger:
    print(ledger._open, buffer.getvalue().count("\n"))
