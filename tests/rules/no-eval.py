import ast

import pandas as pd

# ruleid: no-eval
value = eval("1 + 1")
# ruleid: no-eval
calculate = eval
# ruleid: no-eval
rows = list(map(eval, ["[1, 2]", "[3]"]))
# ruleid: no-eval
ordered = sorted(["2", "1"], key=eval)


# ruleid: no-eval
def compute(text, engine=eval):
    return engine(text)


# ruleid: no-eval
(eval if rows else repr)("1")
# ruleid: no-eval
[f("1") for f in (eval,)]
# ruleid: no-eval
print((run := eval)("1"))


class Series:
    # ruleid: no-eval
    __getitem__ = eval


# ok: no-eval
safe = ast.literal_eval("[1, 2]")
# ok: no-eval
table = pd.DataFrame({"a": [1]}).evaluate
# ok: no-eval
eval_score = {"eval": 0.5}["eval"]
# ok: no-eval
text = "never call eval(x)"


class Model:
    # ok: no-eval
    def eval(self):
        return self


# ok: no-eval
Model().eval()
