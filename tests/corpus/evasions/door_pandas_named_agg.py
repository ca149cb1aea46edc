import pandas as pd
df = pd.DataFrame({"a": [1, 2]})
try:
    print("REACHED", df.agg(x=("a", "to_clipboard")))
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:80])
