import re

# ruleid: no-compile
unit = compile("print(1)", "<calc>", "exec")
# ruleid: no-compile
units = [compile(text, "<calc>", mode="eval") for text in ("1", "2")]
# ruleid: no-compile
make = compile
# ruleid: no-compile
trees = list(map(compile, ["1"], ["a"], ["eval"]))

# ok: no-compile
word = re.compile(r"\w+")
# ok: no-compile
steps = {"compile": 1}


class Model:
    # ok: no-compile
    def compile(self, loss):
        return loss


# ok: no-compile
Model().compile("mse")
# ok: no-compile
def describe(rows, compile=False):
    # ok: no-compile
    return f"{rows} {compile}"
