from pandas.io.pickle import read_pickle
