import scipy.io
scipy.io.mminfo(chr(47) + "etc/passwd")
