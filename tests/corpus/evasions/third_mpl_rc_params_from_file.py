import matplotlib
print(matplotlib.rc_params_from_file(chr(47) + "etc/passwd", fail_on_error=False))
