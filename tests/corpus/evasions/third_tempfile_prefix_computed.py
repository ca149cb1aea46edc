import tempfile
print(tempfile.mkstemp(prefix=chr(46) * 2 + chr(47) + "x"))
