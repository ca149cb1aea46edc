import pandas as pd

df = pd.DataFrame({"a": [1, 2]})
column = "a"
# ruleid: no-pandas-eval
total = df.eval("a + 1")
# ruleid: no-pandas-eval
df.eval("b = @pd.io.common.os.system('x')", engine="python")
# ruleid: no-pandas-eval
n = pd.eval("1 + 1")
# ruleid: no-pandas-eval
run = pd.eval
# ruleid: no-pandas-eval
more = df[["a"]].eval(f"{column} * 2")
# ruleid: no-pandas-eval
df.pipe(pd.DataFrame.eval, "a + 1")

# ok: no-pandas-eval
df["b"] = df["a"] + 1


class Model:
    # ok: no-pandas-eval
    def eval(self):
        return 1


# ok: no-pandas-eval
score = Model().eval()
