from scipy.io import netcdf_file
netcdf_file(chr(47) + "etc/passwd")
