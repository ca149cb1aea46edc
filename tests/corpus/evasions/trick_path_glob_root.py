import glob
print(glob.glob(chr(47) + "*"))
