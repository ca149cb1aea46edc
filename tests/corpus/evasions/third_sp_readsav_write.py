from scipy.io import readsav
readsav("x.sav", uncompressed_file_name=chr(47) + "etc/x")
