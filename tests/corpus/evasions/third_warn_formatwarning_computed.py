import warnings
print(warnings.formatwarning("x", UserWarning, chr(47) + "etc" + chr(47) + "passwd", 1))
