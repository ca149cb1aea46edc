import pandas as pd
df = pd.DataFrame({"a": [1, 2]})
try:
    df.hist(None, None, True, None, None, None, None, None, False, False, None, None, 10, "antigravity")
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:100])
