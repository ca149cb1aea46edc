import warnings
for line in range(1, 40):
    warnings.warn_explicit("x", UserWarning, chr(47) + "etc" + chr(47) + "passwd", line)
