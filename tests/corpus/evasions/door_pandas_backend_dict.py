import pandas as pd
df = pd.DataFrame({"a": [1, 2]})
try:
    df.plot(**{"backend": "this"})
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:100])
