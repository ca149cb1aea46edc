import numpy as np, pandas as pd
df = pd.DataFrame(np.random.default_rng(0).normal(size=(100, 3)), columns=list("abc"))
corr = df.corr(method="spearman")
vif = {c: 1 / (1 - np.linalg.lstsq(np.c_[np.ones(100), df.drop(columns=c)], df[c], rcond=None)[1][0] / ((df[c] - df[c].mean()) ** 2).sum()) for c in df}
print(corr.round(2).to_dict(), vif)
