from numpy.lib import format
format.read_array(open("a.npy", "rb"), allow_pickle=True)
