import glob
print(glob.glob("*", dir_fd=3))
