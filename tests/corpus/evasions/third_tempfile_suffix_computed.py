import tempfile
print(tempfile.mkdtemp(suffix=chr(47) + chr(46) * 2 + chr(47) + "x"))
