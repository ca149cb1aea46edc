import glob
print(glob.glob1(chr(47) + "etc", "*"))
