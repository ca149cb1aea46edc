from scipy.io import whosmat
whosmat(chr(47) + "etc/passwd")
