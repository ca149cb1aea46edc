from pandas import read_pickle as load_table
load_table("x.pkl")
