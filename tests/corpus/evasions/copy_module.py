import copy
copy.copyreg.pickle(int, print)
