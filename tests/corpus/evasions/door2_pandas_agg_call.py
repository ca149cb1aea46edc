import pandas as pd
s = pd.Series([1, 2])
name = chr(116) + "o_pickle"
s.agg(name, 0, "out.pkl")
print("REACHED", open("out.pkl", "rb").read(4))
