import pandas as pd
df = pd.DataFrame({"a": [1, 2]})
name = "".join(["ev", "al"])
print("REACHED", df.agg(name, 0, "a + 1"))
