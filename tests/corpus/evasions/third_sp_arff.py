from scipy.io import arff
arff.loadarff(chr(47) + "etc/passwd")
