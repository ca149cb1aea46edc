import pandas as pd
def call(df, how, *more):
    return df.apply(how, args=more)
call(pd.Series([1]), "ev" + "al", "a")
