import pandas as pd
class File:
    def name(self):
        return "rows"
s = pd.Series([1, 2])
name = chr(116) + "o_pickle"
s.agg(name, 0, "out.pkl")
