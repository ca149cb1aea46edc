import glob
print(glob.glob("*", root_dir=chr(47) + "etc"))
