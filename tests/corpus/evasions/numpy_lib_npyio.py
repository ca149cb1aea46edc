from numpy.lib.npyio import NpzFile
