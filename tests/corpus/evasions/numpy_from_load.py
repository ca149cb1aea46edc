from numpy import load as l
l("a.npy", **{"allow_pickle": True})
