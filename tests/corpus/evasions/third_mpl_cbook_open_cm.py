from matplotlib import cbook
with cbook.open_file_cm(chr(47) + "etc/passwd") as f:
    print(f.read())
